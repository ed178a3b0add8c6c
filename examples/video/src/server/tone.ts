/** A film without pictures that needs no download: a melody that can be told by ear where it is. */

const RATE = 44_100;
const HEADER_LENGTH = 44;
const BYTES_PER_SAMPLE = 2;
const SAMPLES_PER_NOTE = RATE / 2;
const BYTES_PER_MINUTE = 60 * RATE * BYTES_PER_SAMPLE;
/** Semitones above the tonic. */
const MELODY = [0, 4, 7, 12, 7, 4];
const TONIC_HERTZ = 220;

/** The melody once, three seconds; every minute begins a tone higher. */
function melodyOf(minute: number): Buffer {
  const melody = Buffer.alloc(MELODY.length * SAMPLES_PER_NOTE * BYTES_PER_SAMPLE);
  MELODY.forEach((semitones, note) => {
    const hertz = TONIC_HERTZ * 2 ** ((semitones + 2 * minute) / 12);
    for (let i = 0; i < SAMPLES_PER_NOTE; i++) {
      const seconds = i / RATE;
      const sample = 8_000 * Math.exp(-6 * seconds) * Math.sin(2 * Math.PI * hertz * seconds);
      melody.writeInt16LE(Math.round(sample), (note * SAMPLES_PER_NOTE + i) * BYTES_PER_SAMPLE);
    }
  });
  return melody;
}

/** @returns a WAV file: one channel of 16 bits, 5.3 MB a minute */
export function toneOf(minutes: number): Buffer<ArrayBuffer> {
  const wave = Buffer.alloc(HEADER_LENGTH + minutes * BYTES_PER_MINUTE);
  wave.write("RIFF", 0);
  wave.writeUInt32LE(wave.length - 8, 4);
  wave.write("WAVEfmt ", 8);
  // Length of the format, PCM, one channel.
  wave.writeUInt32LE(16, 16);
  wave.writeUInt16LE(1, 20);
  wave.writeUInt16LE(1, 22);
  wave.writeUInt32LE(RATE, 24);
  wave.writeUInt32LE(RATE * BYTES_PER_SAMPLE, 28);
  wave.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  wave.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  wave.write("data", 36);
  wave.writeUInt32LE(minutes * BYTES_PER_MINUTE, 40);
  for (let minute = 0; minute < minutes; minute++) {
    const start = HEADER_LENGTH + minute * BYTES_PER_MINUTE;
    wave.fill(melodyOf(minute), start, start + BYTES_PER_MINUTE);
  }
  return wave;
}
