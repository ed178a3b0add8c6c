/** How contestants look: the same in all pictures of a section, and kin alike. */

/** Colour, line and mark of a contestant. */
export interface Look {
  /** Class of everything that belongs to it in a picture. */
  readonly id: string;
  /** A CSS variable, with one value for light and one for dark. */
  readonly colour: string;
  /** SVG's `stroke-dasharray`; empty for an unbroken line. */
  readonly dash: string;
  readonly width: number;
  readonly symbol: (typeof SYMBOLS)[number];
}

const SYMBOLS = ["circle", "square2", "triangle", "diamond2", "star", "times", "wye", "plus"] as const;

interface Family {
  readonly members: RegExp;
  /** Begins the names of its colours. */
  readonly palette: string;
  readonly colours: number;
  readonly dash: string;
  readonly width: number;
}

/** The first whose pattern a name matches; the last takes all. */
const FAMILIES: readonly Family[] = [
  {
    members: /^(evariste|StitchedGcm|native|openssl|wasm|portable|streams|chunked|(en|de)crypt[A-Z]|AES-)/,
    palette: "own",
    colours: 6,
    dash: "",
    width: 2.25,
  },
  { members: /^(bun|deno)/i, palette: "elsewhere", colours: 3, dash: "5 2 1 2", width: 1.5 },
  {
    members: /^(createCipheriv|node:crypto|WebCrypto|joined|unjoined|copied)/,
    palette: "platform",
    colours: 5,
    dash: "7 3",
    width: 1.5,
  },
  { members: /^java/i, palette: "java", colours: 3, dash: "9 3 2 3", width: 1.5 },
  { members: /(?:)/, palette: "other", colours: 5, dash: "2 3", width: 1.5 },
];

/** Contestants whose colour is theirs wherever they appear. */
const FIXED: readonly string[] = ["native", "wasm", "openssl", "portable", "evariste"];

/** A look for each name, in the order in which they appear. */
export function looksOf(names: readonly string[]): Map<string, Look> {
  const taken = new Map<Family, number>(
    FAMILIES.map((family) => [family, family.palette === "own" ? FIXED.length : 0]),
  );
  const looks = new Map<string, Look>();
  for (const name of names) {
    if (looks.has(name)) continue;
    const family = FAMILIES.find(({ members }) => members.test(name))!;
    const fixed = FIXED.indexOf(name);
    const place = fixed >= 0 ? fixed : taken.get(family)!;
    if (fixed < 0) taken.set(family, place + 1);
    looks.set(name, {
      id: `s${looks.size}`,
      colour: `var(--${family.palette}-${(place % family.colours) + 1})`,
      dash: family.dash,
      width: family.width,
      symbol: SYMBOLS[place % SYMBOLS.length],
    });
  }
  return looks;
}

/** The families' colours, `--own-1` and so on, in a light and in a dark page. */
export const PALETTES: Readonly<
  Record<string, { readonly light: readonly string[]; readonly dark: readonly string[] }>
> = {
  own: {
    light: ["#6d28d9", "#0e7490", "#1d4ed8", "#047857", "#111827", "#be185d"],
    dark: ["#a78bfa", "#22d3ee", "#60a5fa", "#34d399", "#f3f4f6", "#f472b6"],
  },
  platform: {
    light: ["#c2410c", "#d97706", "#92400e", "#a16207", "#ea580c"],
    dark: ["#fb923c", "#fbbf24", "#fdba74", "#facc15", "#fed7aa"],
  },
  elsewhere: { light: ["#4d7c0f", "#65a30d", "#3f6212"], dark: ["#a3e635", "#84cc16", "#d9f99d"] },
  java: { light: ["#b91c1c", "#e11d48", "#7f1d1d"], dark: ["#f87171", "#fb7185", "#fca5a5"] },
  other: {
    light: ["#64748b", "#4b5563", "#78716c", "#94a3b8", "#a16a5a"],
    dark: ["#94a3b8", "#d1d5db", "#a8a29e", "#64748b", "#c9a497"],
  },
};
