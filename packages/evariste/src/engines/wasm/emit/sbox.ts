import type { Fn, V128 } from "./fn.js";

/**
 * The AES S-box on planes, without its constant 0x63: 113 gates, from the circuit of J. Boyar and R. Peralta ("A small
 * depth-16 circuit for the AES S-box", 2012, and their earlier 115-gate one), names as there.
 * `test/engines/wasm-emit.test.ts` holds it to FIPS 197.
 *
 * @param planes plane b holds bit b of every byte
 */
export function subBytes(f: Fn, planes: readonly V128[]): V128[] {
  const x = (a: V128, b: V128) => f.xor(a, b);
  const n = (a: V128, b: V128) => f.and(a, b);
  const [x7, x6, x5, x4, x3, x2, x1, x0] = planes;

  const y14 = x(x3, x5);
  const y13 = x(x0, x6);
  const y9 = x(x0, x3);
  const y8 = x(x0, x5);
  const t0 = x(x1, x2);
  const y1 = x(t0, x7);
  const y4 = x(y1, x3);
  const y12 = x(y13, y14);
  const y2 = x(y1, x0);
  const y5 = x(y1, x6);
  const y3 = x(y5, y8);
  const t1 = x(x4, y12);
  const y15 = x(t1, x5);
  const y20 = x(t1, x1);
  const y6 = x(y15, x7);
  const y10 = x(y15, t0);
  const y11 = x(y20, y9);
  const y7 = x(x7, y11);
  const y17 = x(y10, y11);
  const y19 = x(y10, y8);
  const y16 = x(t0, y11);
  const y21 = x(y13, y16);
  const y18 = x(x0, y16);

  const t2 = n(y12, y15);
  const t4 = x(n(y3, y6), t2);
  const t6 = x(n(y4, x7), t2);
  const t7 = n(y13, y16);
  const t9 = x(n(y5, y1), t7);
  const t11 = x(n(y2, y7), t7);
  const t12 = n(y9, y11);
  const t14 = x(n(y14, y17), t12);
  const t16 = x(n(y8, y10), t12);
  const t21 = x(x(t4, t14), y20);
  const t22 = x(x(t6, t16), y19);
  const t23 = x(x(t9, t14), y21);
  const t24 = x(x(t11, t16), y18);
  const t25 = x(t21, t22);
  const t26 = n(t21, t23);
  const t27 = x(t24, t26);
  const t29 = x(n(t25, t27), t22);
  const t30 = x(t23, t24);
  const t31 = x(t22, t26);
  const t33 = x(n(t31, t30), t24);
  const t34 = x(t23, t33);
  const t35 = x(t27, t33);
  const t36 = n(t24, t35);
  const t37 = x(t36, t34);
  const t38 = x(t27, t36);
  const t39 = n(t29, t38);
  const t40 = x(t25, t39);
  const t41 = x(t40, t37);
  const t42 = x(t29, t33);
  const t43 = x(t29, t40);
  const t44 = x(t33, t37);
  const t45 = x(t42, t41);

  const z0 = n(t44, y15);
  const z1 = n(t37, y6);
  const z2 = n(t33, x7);
  const z3 = n(t43, y16);
  const z4 = n(t40, y1);
  const z5 = n(t29, y7);
  const z6 = n(t42, y11);
  const z7 = n(t45, y17);
  const z8 = n(t41, y10);
  const z9 = n(t44, y12);
  const z10 = n(t37, y3);
  const z11 = n(t33, y4);
  const z12 = n(t43, y13);
  const z13 = n(t40, y5);
  const z14 = n(t29, y2);
  const z15 = n(t42, y9);
  const z16 = n(t45, y14);
  const z17 = n(t41, y8);

  const t46 = x(z15, z16);
  const t47 = x(z10, z11);
  const t48 = x(z5, z13);
  const t49 = x(z9, z10);
  const t50 = x(z2, z12);
  const t51 = x(z2, z5);
  const t52 = x(z7, z8);
  const t53 = x(z0, z3);
  const t54 = x(z6, z7);
  const t55 = x(z16, z17);
  const t56 = x(z12, t48);
  const t57 = x(t50, t53);
  const t58 = x(z4, t46);
  const t59 = x(z3, t54);
  const t60 = x(t46, t57);
  const t61 = x(z14, t57);
  const t62 = x(t52, t58);
  const t63 = x(t49, t58);
  const t64 = x(z4, t59);
  const t65 = x(t61, t62);
  const t66 = x(z1, t63);
  const t67 = x(t64, t65);
  const s0 = x(t59, t63);
  const s3 = x(t53, t66);
  const s4 = x(t51, t66);
  const s5 = x(t47, t65);
  return [x(t48, t60), x(t56, t62), s5, s4, s3, x(t55, t67), x(t64, s3), s0];
}
