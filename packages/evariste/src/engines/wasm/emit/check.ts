/**
 * Checks finished WebAssembly for constant time, whatever emitted and optimised it: it reads the bytes that ship. Memory is
 * secret, parameters are public, and what is computed from a secret is secret. In every function, on every path,
 * no address, condition, call argument or divisor may be secret. Control flow is followed, so a local may hold a
 * secret here and a public value there.
 */
import binaryen from "binaryen";

type Expr = number;
/** Locals that hold a secret. */
type Secrets = Set<number>;

const VARIABLE_TIME: ReadonlySet<number> = new Set<number>([
  binaryen.DivSInt32,
  binaryen.DivUInt32,
  binaryen.RemSInt32,
  binaryen.RemUInt32,
  binaryen.DivSInt64,
  binaryen.DivUInt64,
  binaryen.RemSInt64,
  binaryen.RemUInt64,
]);

/**
 * @returns one sentence for each secret-dependent address, condition, argument or division; none is what is wanted
 * @throws Error on an instruction that it does not know
 */
export function findLeaks(binary: Uint8Array): string[] {
  const module = binaryen.readBinary(binary);
  const leaks = new Set<string>();
  for (let n = 0; n < module.getNumFunctions(); n++) {
    const info = binaryen.getFunctionInfo(module.getFunctionByIndex(n));
    if (info.module) throw new Error("imported functions cannot be checked");
    new FunctionCheck((leak) => leaks.add(`function ${info.name}: ${leak}`)).run(info.body);
  }
  module.dispose();
  return [...leaks];
}

class FunctionCheck {
  #secrets: Secrets = new Set();
  /** What holds where a label is branched to: the join over all branches so far. */
  readonly #atLabel = new Map<string, Secrets>();

  constructor(private readonly report: (leak: string) => void) {}

  run(body: Expr): void {
    this.#visit(body);
  }

  #public(expression: Expr, role: string): void {
    if (expression && this.#visit(expression)) this.report(`secret ${role}`);
  }

  /** Follows the expression; @returns whether its value is secret */
  #visit(expression: Expr): boolean {
    const id = binaryen.getExpressionId(expression);
    if (id === binaryen.NopId || id === binaryen.UnreachableId) return false;
    const info = binaryen.getExpressionInfo(expression);
    const visitor = VISITORS.get(info.id);
    if (visitor === undefined) throw new Error(`the check does not know expression kind ${info.id}`);
    return visitor(this, info);
  }

  static block(check: FunctionCheck, info: binaryen.BlockInfo): boolean {
    let secret = false;
    for (const child of info.children) secret = check.#visit(child);
    const branched = info.name ? check.#atLabel.get(info.name) : undefined;
    if (branched) check.#join(branched);
    return secret;
  }

  static if(check: FunctionCheck, info: binaryen.IfInfo): boolean {
    check.#public(info.condition, "condition");
    const before = check.#secrets;
    check.#secrets = new Set(before);
    const yes = check.#visit(info.ifTrue);
    const afterYes = check.#secrets;
    check.#secrets = new Set(before);
    const no = info.ifFalse ? check.#visit(info.ifFalse) : false;
    check.#join(afterYes);
    return yes || no;
  }

  /** Repeats until another turn adds no secret local; there are finitely many. */
  static loop(check: FunctionCheck, info: binaryen.LoopInfo): boolean {
    for (;;) {
      const before = new Set(check.#secrets);
      const secret = check.#visit(info.body);
      const again = check.#atLabel.get(info.name) ?? new Set();
      if ([...again].every((local) => before.has(local))) return secret;
      check.#secrets = new Set([...before, ...again]);
    }
  }

  static break(check: FunctionCheck, info: binaryen.BreakInfo): boolean {
    if (info.value) throw new Error("the check does not know branches with values");
    check.#public(info.condition, "condition");
    const target = check.#atLabel.get(info.name) ?? new Set();
    check.#atLabel.set(info.name, new Set([...target, ...check.#secrets]));
    return false;
  }

  static localSet(check: FunctionCheck, info: binaryen.LocalSetInfo): boolean {
    const secret = check.#visit(info.value);
    if (secret) check.#secrets.add(info.index);
    else check.#secrets.delete(info.index);
    return secret;
  }

  static localGet(check: FunctionCheck, info: binaryen.LocalGetInfo): boolean {
    return check.#secrets.has(info.index);
  }

  static call(check: FunctionCheck, info: binaryen.CallInfo): boolean {
    for (const operand of info.operands) check.#public(operand, "argument");
    return info.type !== binaryen.none;
  }

  static load(check: FunctionCheck, info: { ptr: Expr }): boolean {
    check.#public(info.ptr, "load address");
    return true;
  }

  static store(check: FunctionCheck, info: binaryen.StoreInfo): boolean {
    check.#public(info.ptr, "store address");
    check.#visit(info.value);
    return false;
  }

  static fill(check: FunctionCheck, info: binaryen.MemoryFillInfo): boolean {
    check.#public(info.dest, "fill address");
    check.#public(info.size, "fill size");
    check.#visit(info.value);
    return false;
  }

  static select(check: FunctionCheck, info: binaryen.SelectInfo): boolean {
    check.#public(info.condition, "condition");
    return check.#any(info.ifTrue, info.ifFalse);
  }

  static binary(check: FunctionCheck, info: binaryen.BinaryInfo): boolean {
    const secret = check.#any(info.left, info.right);
    if (secret && VARIABLE_TIME.has(info.op)) check.report("division of a secret");
    return secret;
  }

  /** A visitor that visits these operands and nothing else. */
  static of(...fields: readonly string[]): Visitor {
    return (check, info) => {
      const operands = info as unknown as Record<string, Expr>;
      return check.#any(...fields.map((field) => operands[field]));
    };
  }

  /** Visits all operands, in order. */
  #any(...expressions: Expr[]): boolean {
    return expressions.filter((expression) => expression && this.#visit(expression)).length > 0;
  }

  #join(other: Secrets): void {
    for (const local of other) this.#secrets.add(local);
  }
}

type Visitor = (check: FunctionCheck, info: binaryen.ExpressionInfo) => boolean;

/** A visitor for the information that expressions of its kind have. */
const visitor = <I extends binaryen.ExpressionInfo>(visit: (check: FunctionCheck, info: I) => boolean) =>
  visit as unknown as Visitor;

const VISITORS: ReadonlyMap<number, Visitor> = new Map<number, Visitor>([
  [binaryen.BlockId, visitor(FunctionCheck.block)],
  [binaryen.IfId, visitor(FunctionCheck.if)],
  [binaryen.LoopId, visitor(FunctionCheck.loop)],
  [binaryen.BreakId, visitor(FunctionCheck.break)],
  [binaryen.LocalSetId, visitor(FunctionCheck.localSet)],
  [binaryen.LocalGetId, visitor(FunctionCheck.localGet)],
  [binaryen.CallId, visitor(FunctionCheck.call)],
  [binaryen.LoadId, FunctionCheck.load as unknown as Visitor],
  [binaryen.SIMDLoadId, FunctionCheck.load as unknown as Visitor],
  [binaryen.StoreId, visitor(FunctionCheck.store)],
  [binaryen.MemoryFillId, visitor(FunctionCheck.fill)],
  [binaryen.SelectId, visitor(FunctionCheck.select)],
  [binaryen.BinaryId, visitor(FunctionCheck.binary)],
  [binaryen.ConstId, () => false],
  [binaryen.UnaryId, FunctionCheck.of("value")],
  [binaryen.DropId, FunctionCheck.of("value")],
  [binaryen.ReturnId, FunctionCheck.of("value")],
  [binaryen.SIMDExtractId, FunctionCheck.of("vec")],
  [binaryen.SIMDReplaceId, FunctionCheck.of("vec", "value")],
  [binaryen.SIMDShuffleId, FunctionCheck.of("left", "right")],
  [binaryen.SIMDTernaryId, FunctionCheck.of("a", "b", "c")],
  [binaryen.SIMDShiftId, FunctionCheck.of("vec", "shift")],
]);
