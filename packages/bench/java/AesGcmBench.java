import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Measures AES-GCM in Java on request, in the protocol of src/processes/speed-child.ts. encryptInto and decryptInto are
 * Cipher.init with an IV and one doFinal into memory that is used again; encryptMultiPart and decryptMultiPart give half of
 * the message to update first; updateAAD is a message of AAD alone.
 *
 * <p>Run: java AesGcmBench.java
 */
public final class AesGcmBench {
  private static final int TAG_BITS = 128;
  private static final int TAG = TAG_BITS / 8;
  private static final int WINDOWS = 2048;

  private interface Operation {
    void run() throws Exception;
  }

  /** One row: its memory, its cipher, and how many iterations take about a twentieth of a round. */
  private static final class Row {
    final int mode;
    final SecretKeySpec key;
    final boolean slidingIv;
    final byte[] ivs;
    final int ivLength;
    final Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    final Operation operation;
    int counter;
    long iterations = 1;

    Row(String name, int keyBits, int size, String memory) throws Exception {
      mode = name.startsWith("decrypt") ? Cipher.DECRYPT_MODE : Cipher.ENCRYPT_MODE;
      byte[] rawKey = new byte[keyBits / 8];
      for (int i = 0; i < rawKey.length; i++) rawKey[i] = (byte) i;
      key = new SecretKeySpec(rawKey, "AES");
      slidingIv = !memory.equals("-");
      ivLength = slidingIv ? 16 : 12;
      ivs = new byte[slidingIv ? WINDOWS + ivLength : ivLength];
      if (slidingIv) new Random().nextBytes(ivs);
      byte[] plaintext = new byte[size];
      for (int i = 0; i < size; i++) plaintext[i] = (byte) i;
      byte[] in = mode == Cipher.ENCRYPT_MODE ? plaintext : seal(plaintext);
      boolean inBuffers = memory.equals("heap") || memory.equals("direct");
      operation = inBuffers ? ofBuffers(name, in, memory.equals("direct")) : ofArrays(name, in);
    }

    private byte[] seal(byte[] plaintext) throws Exception {
      Cipher sealer = Cipher.getInstance("AES/GCM/NoPadding");
      sealer.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, ivs, 0, ivLength));
      return sealer.doFinal(plaintext);
    }

    private Operation ofArrays(String name, byte[] in) {
      byte[] out = new byte[in.length + TAG];
      int half = in.length / 2;
      switch (name) {
        case "encryptInto":
        case "decryptInto":
          return () -> cipher.doFinal(in, 0, in.length, out, 0);
        case "encryptMultiPart":
        case "decryptMultiPart":
          return () -> {
            int written = cipher.update(in, 0, half, out, 0);
            cipher.doFinal(in, half, in.length - half, out, written);
          };
        case "updateAAD":
          return () -> {
            cipher.updateAAD(in);
            cipher.doFinal();
          };
        default:
          return null;
      }
    }

    private Operation ofBuffers(String name, byte[] bytes, boolean direct) {
      ByteBuffer in = allocate(bytes.length, direct).put(bytes).flip();
      ByteBuffer out = allocate(bytes.length + TAG, direct);
      int half = bytes.length / 2;
      switch (name) {
        case "encryptInto":
        case "decryptInto":
          return () -> {
            in.clear();
            out.clear();
            cipher.doFinal(in, out);
          };
        case "encryptMultiPart":
        case "decryptMultiPart":
          return () -> {
            in.clear().limit(half);
            out.clear();
            cipher.update(in, out);
            in.limit(in.capacity());
            cipher.doFinal(in, out);
          };
        default:
          return null;
      }
    }

    private static ByteBuffer allocate(int length, boolean direct) {
      return direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
    }

    void run(long times) throws Exception {
      for (long i = 0; i < times; i++) {
        int from = 0;
        if (mode == Cipher.ENCRYPT_MODE) {
          // Java refuses the IV of the last encryption.
          counter++;
          if (slidingIv) {
            from = Integer.remainderUnsigned(counter, WINDOWS);
          } else {
            ivs[0] = (byte) counter;
            ivs[1] = (byte) (counter >>> 8);
            ivs[2] = (byte) (counter >>> 16);
            ivs[3] = (byte) (counter >>> 24);
          }
        }
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, ivs, from, ivLength));
        operation.run();
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
      System.out.println(line.equals("hello") ? "ready" : answer(line.split(" "), rows));
      System.out.flush();
    }
  }

  private static String answer(String[] words, Map<String, Row> rows) throws Exception {
    String name = String.join(" ", words[0], words[1], words[2], words[3]);
    Row row = rows.get(name);
    if (row == null) {
      row = new Row(words[0], Integer.parseInt(words[1]), Integer.parseInt(words[2]), words[3]);
      rows.put(name, row);
    }
    return row.operation == null ? "none" : String.valueOf(row.nanoseconds(Double.parseDouble(words[4])));
  }
}
