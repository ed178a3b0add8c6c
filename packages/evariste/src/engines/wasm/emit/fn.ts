/** What one function is written with: values, operations on them, memory and control. See `asm.ts` for the rule on secrets. */
import binaryen from "binaryen";

/** The two WebAssembly types that kernels use. */
export type Kind = "i32" | "v128";

/** A value held in one local of the function that made it. */
export interface Value<K extends Kind> {
  readonly kind: K;
  readonly local: number;
  /** Depends on memory contents: key, message, hash state. */
  readonly secret: boolean;
}

/** What is on the stack, by WebAssembly's types. */
export type I32 = Value<"i32">;
export type V128 = Value<"v128">;

/** Lane widths in bits. */
export type LaneBits = 8 | 16 | 32 | 64;

type Expr = number;

/** `i8x16.relaxed_swizzle`, for which Binaryen's JavaScript interface has an operator but no method. */
interface RawBinaryen {
  readonly RelaxedSwizzleVecI8x16: number;
  _BinaryenBinary(module: number, op: number, left: Expr, right: Expr): Expr;
}

const TYPES = { i32: binaryen.i32, v128: binaryen.v128 } as const;

/** The body of one function. Methods append instructions; their order is program order. */
export class Fn {
  readonly locals: number[] = [];
  #code: Expr[] = [];
  /** Vector constants, by content: set once, before everything else. */
  readonly #constants = new Map<string, { readonly value: V128; readonly expr: Expr }>();

  constructor(
    private readonly m: binaryen.Module,
    private readonly paramCount: number,
  ) {}

  /** @returns the instructions, once the function is complete */
  finish(): Expr[] {
    const constants = [...this.#constants.values()].map(({ value, expr }) =>
      this.m.local.set(value.local, expr),
    );
    return [...constants, ...this.#code];
  }

  // Values

  const(n: number): I32 {
    return this.#def("i32", this.m.i32.const(n), false);
  }

  /**
   * A vector constant. V8 makes one in up to four instructions wherever it is used, so each is set once, at the start of
   * the function, and never inside a loop.
   *
   * @param bytes 16 bytes, lane 0 first
   */
  bytes(bytes: ArrayLike<number>): V128 {
    const key = Array.from(bytes).join();
    const known = this.#constants.get(key);
    if (known) return known.value;
    const value: V128 = { kind: "v128", local: this.#newLocal("v128"), secret: false };
    this.#constants.set(key, { value, expr: this.m.v128.const(bytes) });
    return value;
  }

  splat8(n: number): V128 {
    return this.bytes(new Uint8Array(16).fill(n));
  }

  zero(): V128 {
    return this.splat8(0);
  }

  /** A mutable local, for loop-carried values. A public variable takes public values only. */
  variable<K extends Kind>(init: Value<K>, secret = init.secret): Variable<K> {
    const local = this.#newLocal(init.kind);
    const variable: Variable<K> = {
      kind: init.kind,
      local,
      secret,
      set: (value) => {
        if (value.secret && !secret) throw new Error("a secret value was assigned to a public variable");
        this.#code.push(this.m.local.set(local, this.#get(value)));
      },
    };
    if (init.secret && !secret) throw new Error("a public variable was initialised with a secret");
    variable.set(init);
    return variable;
  }

  /** Assigns values to variables, one by one. */
  setAll<K extends Kind>(variables: readonly Variable<K>[], values: readonly Value<K>[]): void {
    for (const [n, variable] of variables.entries()) variable.set(values[n]);
  }

  // Integers

  add(a: I32, b: I32 | number): I32 {
    return this.#int2("add", a, b);
  }
  sub(a: I32, b: I32 | number): I32 {
    return this.#int2("sub", a, b);
  }
  mul(a: I32, b: I32 | number): I32 {
    return this.#int2("mul", a, b);
  }
  intAnd(a: I32, b: I32 | number): I32 {
    return this.#int2("and", a, b);
  }
  intOr(a: I32, b: I32 | number): I32 {
    return this.#int2("or", a, b);
  }
  intXor(a: I32, b: I32 | number): I32 {
    return this.#int2("xor", a, b);
  }
  intShl(a: I32, b: I32 | number): I32 {
    return this.#int2("shl", a, b);
  }
  intShr(a: I32, b: I32 | number): I32 {
    return this.#int2("shr_u", a, b);
  }
  rotr(a: I32, b: I32 | number): I32 {
    return this.#int2("rotr", a, b);
  }
  equal(a: I32, b: I32 | number): I32 {
    return this.#int2("eq", a, b);
  }
  less(a: I32, b: I32 | number): I32 {
    return this.#int2("lt_u", a, b);
  }

  /** The smaller of two public integers; `select` on a secret could compile to a branch, so it is refused. */
  min(a: I32, b: I32 | number): I32 {
    const right = typeof b === "number" ? this.const(b) : b;
    const smaller = this.less(a, right);
    this.#refuse(smaller.secret, "condition");
    return this.#def(
      "i32",
      this.m.select(this.#get(smaller), this.#get(a), this.#get(right)),
      a.secret || right.secret,
    );
  }

  // Vectors: bitwise

  xor(first: V128, ...rest: V128[]): V128 {
    return rest.reduce((a, b) => this.#vec("xor", a, b), first);
  }
  and(a: V128, b: V128): V128 {
    return this.#vec("and", a, b);
  }
  or(a: V128, b: V128): V128 {
    return this.#vec("or", a, b);
  }

  #vec(op: "xor" | "and" | "or", a: V128, b: V128): V128 {
    return this.#def("v128", this.m.v128[op](this.#get(a), this.#get(b)), a.secret || b.secret);
  }

  /** 1 when any bit is set. */
  anyTrue(a: V128): I32 {
    return this.#def("i32", this.m.v128.any_true(this.#get(a)), a.secret);
  }

  // Vectors: lanes

  shl(bits: LaneBits, a: V128, n: number): V128 {
    return this.#def("v128", this.#lanes(bits).shl(this.#get(a), this.m.i32.const(n)), a.secret);
  }
  shr(bits: LaneBits, a: V128, n: number): V128 {
    return this.#def("v128", this.#lanes(bits).shr_u(this.#get(a), this.m.i32.const(n)), a.secret);
  }
  /** The upper half of every byte. A shift of bytes is five instructions in V8, this is two. */
  highNibbles(a: V128, fifteen: V128): V128 {
    return this.and(this.shr(64, a, 4), fifteen);
  }
  addLanes32(a: V128, b: V128): V128 {
    return this.#def("v128", this.m.i32x4.add(this.#get(a), this.#get(b)), a.secret || b.secret);
  }
  addLanes8(a: V128, b: V128): V128 {
    return this.#def("v128", this.m.i8x16.add(this.#get(a), this.#get(b)), a.secret || b.secret);
  }
  /** Lane by lane all ones where equal. */
  equal8(a: V128, b: V128): V128 {
    return this.#def("v128", this.m.i8x16.eq(this.#get(a), this.#get(b)), a.secret || b.secret);
  }
  /** Lane by lane all ones where a < b, unsigned. */
  less8(a: V128, b: V128): V128 {
    return this.#def("v128", this.m.i8x16.lt_u(this.#get(a), this.#get(b)), a.secret || b.secret);
  }
  neg8(a: V128): V128 {
    return this.#def("v128", this.m.i8x16.neg(this.#get(a)), a.secret);
  }
  spread8(n: I32): V128 {
    return this.#def("v128", this.m.i8x16.splat(this.#get(n)), n.secret);
  }
  spread32(n: I32): V128 {
    return this.#def("v128", this.m.i32x4.splat(this.#get(n)), n.secret);
  }
  lane32(a: V128, lane: number): I32 {
    return this.#def("i32", this.m.i32x4.extract_lane(this.#get(a), lane), a.secret);
  }
  withLane32(a: V128, lane: number, n: I32): V128 {
    const expr = this.m.i32x4.replace_lane(this.#get(a), lane, this.#get(n));
    return this.#def("v128", expr, a.secret || n.secret);
  }

  /** Sixteen bytes of the pair (a, b), chosen when the kernel is emitted. */
  shuffle(a: V128, b: V128, lanes: ArrayLike<number>): V128 {
    const expr = this.m.i8x16.shuffle(this.#get(a), this.#get(b), lanes);
    return this.#def("v128", expr, a.secret || b.secret);
  }

  /**
   * Byte permutation chosen when the kernel is emitted; -1 gives zero. A swizzle by a constant: engines turn it into one
   * instruction, where a shuffle of one vector costs V8 more (measured 640 against 560 MB/s in the bitsliced AES).
   */
  permute(a: V128, lanes: readonly number[]): V128 {
    const index = this.bytes(lanes.map((lane) => (lane < 0 ? 0xff : lane)));
    return this.#def("v128", this.m.i8x16.swizzle(this.#get(a), this.#get(index)), a.secret);
  }

  /**
   * Look-up of 16 indices in a table of 16 bytes: constant time, since both are registers. Indices are below 16, or
   * have bit 7 set and give zero; so the relaxed instruction, which is faster, means the same.
   */
  lookup(table: V128, indices: V128): V128 {
    const raw = binaryen as unknown as RawBinaryen;
    const op = raw.RelaxedSwizzleVecI8x16;
    const expr = raw._BinaryenBinary(this.m.ptr, op, this.#get(table), this.#get(indices));
    return this.#def("v128", expr, table.secret || indices.secret);
  }

  // Memory

  load(address: I32, offset = 0): V128 {
    this.#refuse(address.secret, "address");
    return this.#def("v128", this.m.v128.load(offset, 1, this.#get(address)), true);
  }
  store(address: I32, offset: number, value: V128): void {
    this.#refuse(address.secret, "address");
    this.#code.push(this.m.v128.store(offset, 1, this.#get(address), this.#get(value)));
  }
  /** Stores values one after the other, `stride` bytes apart. */
  storeAll(address: I32, values: readonly V128[], stride = 16): void {
    for (const [n, value] of values.entries()) this.store(address, n * stride, value);
  }
  /** Loads `count` values that lie one after the other. */
  loadAll(address: I32, count: number): V128[] {
    return Array.from({ length: count }, (_, n) => this.load(address, 16 * n));
  }
  load32(address: I32, offset = 0): I32 {
    this.#refuse(address.secret, "address");
    return this.#def("i32", this.m.i32.load(offset, 1, this.#get(address)), true);
  }
  store32(address: I32, offset: number, value: I32): void {
    this.#refuse(address.secret, "address");
    this.#code.push(this.m.i32.store(offset, 1, this.#get(address), this.#get(value)));
  }
  /** Fills `length` bytes with zero. */
  clear(address: I32, length: I32): void {
    this.#refuse(address.secret || length.secret, "address");
    this.#code.push(this.m.memory.fill(this.#get(address), this.m.i32.const(0), this.#get(length)));
  }

  // Control: conditions are public

  if(condition: I32, then: () => void, otherwise?: () => void): void {
    this.#refuse(condition.secret, "condition");
    const yes = this.#block(then);
    const no = otherwise ? this.#block(otherwise) : undefined;
    this.#code.push(this.m.if(this.#get(condition), yes, no));
  }

  /**
   * Runs `body` in a basic block of its own. V8 moves the loads of a block before its arithmetic, so a block with more
   * tables than registers spills them; a condition that always holds, `nonZero`, keeps the blocks apart for one branch.
   */
  apart(nonZero: I32, body: () => void): void {
    this.if(nonZero, body);
  }

  /** Repeats `body` while the condition, tested first, holds. */
  while(condition: () => I32, body: () => void): void {
    const label = `loop${this.locals.length}`;
    const loop = this.#block(() => {
      const again = condition();
      this.#refuse(again.secret, "condition");
      const repeat = this.#block(() => {
        body();
        this.#code.push(this.m.br(label));
      });
      this.#code.push(this.m.if(this.#get(again), repeat));
    });
    this.#code.push(this.m.loop(label, loop));
  }

  /**
   * Counts i in steps from `from` up to, not including, `to`. The test comes first: with the test at the end V8 repeats
   * the arithmetic of the last turn behind the loop and keeps everything it loaded for it on the stack.
   */
  count(from: I32 | number, to: I32 | number, step: number, body: (i: I32) => void): void {
    const i = this.variable(typeof from === "number" ? this.const(from) : from);
    this.while(
      () => this.less(i, to),
      () => {
        body(i);
        i.set(this.add(i, step));
      },
    );
  }

  call(name: string, ...args: (I32 | number)[]): void {
    this.#code.push(this.m.call(name, this.#args(args), binaryen.none));
  }

  #args(args: (I32 | number)[]): Expr[] {
    return args.map((arg) => {
      if (typeof arg === "number") return this.m.i32.const(arg);
      this.#refuse(arg.secret, "parameter");
      return this.#get(arg);
    });
  }

  #refuse(secret: boolean, role: string): void {
    if (secret) throw new Error(`a secret value was used as ${role}: the kernel would not be constant time`);
  }

  #lanes(bits: LaneBits) {
    return { 8: this.m.i8x16, 16: this.m.i16x8, 32: this.m.i32x4, 64: this.m.i64x2 }[bits];
  }

  #int2(
    op: "add" | "sub" | "mul" | "and" | "or" | "xor" | "shl" | "shr_u" | "rotr" | "eq" | "lt_u",
    a: I32,
    b: I32 | number,
  ): I32 {
    const right = typeof b === "number" ? this.m.i32.const(b) : this.#get(b);
    return this.#def(
      "i32",
      this.m.i32[op](this.#get(a), right),
      a.secret || (typeof b !== "number" && b.secret),
    );
  }

  #get(value: Value<Kind>): Expr {
    return this.m.local.get(value.local, TYPES[value.kind]);
  }

  #def<K extends Kind>(kind: K, expr: Expr, secret: boolean): Value<K> {
    const local = this.#newLocal(kind);
    this.#code.push(this.m.local.set(local, expr));
    return { kind, local, secret };
  }

  #newLocal(kind: Kind): number {
    this.locals.push(TYPES[kind]);
    return this.paramCount + this.locals.length - 1;
  }

  #block(body: () => void): Expr {
    const outer = this.#code;
    this.#code = [];
    body();
    const block = this.m.block(null, this.#code);
    this.#code = outer;
    return block;
  }
}

/** A mutable value. */
export interface Variable<K extends Kind> extends Value<K> {
  set(value: Value<K>): void;
}
