import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Measures AES-GCM in Java on request: each line "OPERATION KEYBITS SIZE MILLISECONDS" is answered by nanoseconds per
 * operation over that time. OPERATION is encryptInto or decryptInto: Cipher.init with an IV, then one doFinal into
 * an array that is used again. src/processes/speed-child.ts speaks the same.
 *
 * <p>Run: java AesGcmBench.java
 */
public final class AesGcmBench {
  private static final int TAG_BITS = 128;
  private static final int TAG = TAG_BITS / 8;

  /** One row: its memory, its cipher, and how many iterations take about a twentieth of a round. */
  private static final class Row {
    final boolean encrypts;
    final SecretKeySpec key;
    final byte[] iv = new byte[12];
    final byte[] in;
    final byte[] out;
    final Cipher cipher;
    int counter;
    long iterations = 1;

    Row(String operation, int keyBits, int size) throws Exception {
      encrypts = operation.equals("encryptInto");
      byte[] rawKey = new byte[keyBits / 8];
      for (int i = 0; i < rawKey.length; i++) rawKey[i] = (byte) i;
      key = new SecretKeySpec(rawKey, "AES");
      byte[] plaintext = new byte[size];
      for (int i = 0; i < size; i++) plaintext[i] = (byte) i;
      cipher = Cipher.getInstance("AES/GCM/NoPadding");
      out = new byte[size + TAG];
      if (encrypts) {
        in = plaintext;
        return;
      }
      Cipher sealer = Cipher.getInstance("AES/GCM/NoPadding");
      sealer.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, iv));
      in = sealer.doFinal(plaintext);
    }

    void run(long times) throws Exception {
      for (long i = 0; i < times; i++) {
        if (encrypts) {
          // Java refuses the IV of the last encryption.
          counter++;
          iv[0] = (byte) counter;
          iv[1] = (byte) (counter >>> 8);
          iv[2] = (byte) (counter >>> 16);
          iv[3] = (byte) (counter >>> 24);
        }
        cipher.init(
            encrypts ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, iv));
        cipher.doFinal(in, 0, in.length, out, 0);
      }
    }

    double nanoseconds(double milliseconds) throws Exception {
      double wanted = milliseconds * 1e6;
      long start = System.nanoTime();
      long done = 0;
      double elapsed;
      do {
        run(iterations);
        done += iterations;
        elapsed = System.nanoTime() - start;
        if (elapsed < wanted / 20) iterations *= 2;
      } while (elapsed < wanted);
      iterations = Math.max(1, Math.round(done * wanted / 20 / elapsed));
      return elapsed / done;
    }
  }

  public static void main(String[] args) throws Exception {
    Map<String, Row> rows = new HashMap<>();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ");
      String name = words[0] + " " + words[1] + " " + words[2];
      Row row = rows.get(name);
      if (row == null) {
        row = new Row(words[0], Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        rows.put(name, row);
      }
      System.out.println(row.nanoseconds(Double.parseDouble(words[3])));
      System.out.flush();
    }
  }
}
