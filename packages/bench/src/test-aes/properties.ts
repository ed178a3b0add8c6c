/** The properties of OpenJDK's TestAESMain, as `-D name=value` gives them. */

/** A run of TestAESMain. Lengths and offsets in bytes. */
export interface TestAesProperties {
  readonly algorithm: "AES";
  readonly mode: "GCM";
  readonly paddingStr: "NoPadding";
  readonly msgSize: number;
  readonly keySize: 128 | 192 | 256;
  /** Accepted, without effect: in GCM the original makes every message's cipher ready anew. */
  readonly noReinit: boolean;
  /** Compares every output with the first, and prints the buffers. */
  readonly checkOutput: boolean;
  /** With any of these other than 0, a message goes in two parts. */
  readonly encInputOffset: number;
  readonly encOutputOffset: number;
  readonly decOutputOffset: number;
  /** Length of the second part. */
  readonly lastChunkSize: number;
  /** The original takes these two as arguments. */
  readonly iterations: number;
  readonly warmupIterations: number;
}

type Parse<T> = (text: string) => T | undefined;

const count: Parse<number> = (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);
const truth: Parse<boolean> = (text) => ({ true: true, false: false })[text.toLowerCase()];
const only =
  <T extends string>(word: T): Parse<T> =>
  (text) =>
    text === word ? word : undefined;
const keySize: Parse<128 | 192 | 256> = (text) =>
  ([128, 192, 256] as const).find((bits) => `${bits}` === text);

/** Each property with its default, what is allowed, and how it is read; in the order in which they are printed. */
const TABLE: {
  readonly [Name in keyof TestAesProperties]: {
    readonly initial: TestAesProperties[Name];
    readonly allowed: string;
    readonly parse: Parse<TestAesProperties[Name]>;
  };
} = {
  algorithm: { initial: "AES", allowed: "AES", parse: only("AES") },
  mode: { initial: "GCM", allowed: "GCM", parse: only("GCM") },
  paddingStr: { initial: "NoPadding", allowed: "NoPadding", parse: only("NoPadding") },
  msgSize: { initial: 646, allowed: "a number of bytes", parse: count },
  keySize: { initial: 128, allowed: "128, 192 and 256", parse: keySize },
  noReinit: { initial: false, allowed: "true and false", parse: truth },
  checkOutput: { initial: false, allowed: "true and false", parse: truth },
  encInputOffset: { initial: 0, allowed: "a number of bytes", parse: count },
  encOutputOffset: { initial: 0, allowed: "a number of bytes", parse: count },
  decOutputOffset: { initial: 0, allowed: "a number of bytes", parse: count },
  lastChunkSize: { initial: 32, allowed: "a number of bytes", parse: count },
  iterations: { initial: 100_000, allowed: "a number from 1 on", parse: (text) => count(text) || undefined },
  warmupIterations: { initial: 20_000, allowed: "a number", parse: count },
};

/** The names, and what each allows and is by default: for the help. */
export const PROPERTIES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TABLE).map(([name, { allowed, initial }]) => [name, `${allowed}; default ${initial}`]),
);

/**
 * Reads the properties.
 *
 * @throws RangeError for a value that is not allowed, or parts that do not fit the message
 */
export function testAesProperties(defines: ReadonlyMap<string, string> = new Map()): TestAesProperties {
  const entries = Object.entries(TABLE).map(([name, { initial, allowed, parse }]) => {
    const text = defines.get(name);
    const value = text === undefined ? initial : parse(text);
    if (value === undefined) throw new RangeError(`${name} is ${text}; allowed: ${allowed}`);
    return [name, value];
  });
  const properties = Object.fromEntries(entries) as TestAesProperties;
  if (inParts(properties) && properties.lastChunkSize > properties.msgSize) {
    throw new RangeError(
      `lastChunkSize is ${properties.lastChunkSize}; allowed are 0 to msgSize, ${properties.msgSize}`,
    );
  }
  return properties;
}

/** True when a message goes in two parts. */
export function inParts(properties: TestAesProperties): boolean {
  const { encInputOffset, encOutputOffset, decOutputOffset } = properties;
  return encInputOffset !== 0 || encOutputOffset !== 0 || decOutputOffset !== 0;
}

/** Printed elsewhere, as the original does. */
const ARGUMENTS: ReadonlySet<string> = new Set(["iterations", "warmupIterations"]);

/** The line of `name=value` pairs. */
export function propertiesLine(properties: TestAesProperties): string {
  return Object.keys(TABLE)
    .filter((name) => !ARGUMENTS.has(name))
    .map((name) => `${name}=${properties[name as keyof TestAesProperties]}`)
    .join(", ");
}
