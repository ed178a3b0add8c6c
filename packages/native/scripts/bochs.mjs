export async function bootUnderBochs() {
  return { skipped: "not yet" };
}
