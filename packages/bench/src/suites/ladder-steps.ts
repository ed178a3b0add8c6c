/** The ladder: an engine's kernels switched on one after another. */
import type { KernelReport, KernelRole } from "evariste";

/** One step of the ladder. */
export interface LadderStep {
  readonly name: string;
  /** Kernels to switch off, as `AesGcm` takes them. */
  readonly disable: readonly string[];
}

/** Names of steps that others refer to. */
export const EVERYTHING_OFF = "everything off";
export const GCTR_ONLY = "GCTR kernel only";
export const BOTH_APART = "both apart";

/** Roles that make up GCTR: a kernel for AES blocks is what GCTR runs on. */
const GCTR: ReadonlySet<KernelRole> = new Set(["aes", "gctr"]);

/**
 * The steps that an engine's kernels allow, slowest first: everything off, the GHASH kernel only, the GCTR kernel
 * only, both apart, then each combined kernel from the slowest up.
 *
 * @param kernels as `engines()` lists them: fastest first, the plain ones last; those that are not available are passed over
 */
export function ladderSteps(kernels: readonly KernelReport[]): LadderStep[] {
  const usable = kernels.filter(({ available }) => available);
  const names = (choose: (kernel: KernelReport) => boolean) => usable.filter(choose).map(({ name }) => name);
  const combined = names(({ role }) => role === "gcm");
  const hasGhash = names(({ role }) => role === "ghash").length > 1;
  const hasGctr = names(({ role }) => GCTR.has(role)).length > 1;
  const steps: LadderStep[] = [{ name: EVERYTHING_OFF, disable: names(() => true) }];
  if (hasGhash) steps.push({ name: "GHASH kernel only", disable: names(({ role }) => role !== "ghash") });
  if (hasGctr) steps.push({ name: GCTR_ONLY, disable: names(({ role }) => !GCTR.has(role)) });
  if (hasGhash && hasGctr) steps.push({ name: BOTH_APART, disable: combined });
  for (let i = combined.length - 1; i >= 0; i--) {
    steps.push({ name: combined[i], disable: combined.slice(0, i) });
  }
  return steps;
}
