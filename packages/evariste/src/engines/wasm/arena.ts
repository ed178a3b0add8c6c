/** What a key tells the arena of its slots. */
export interface Tenant {
  /** Used since the arena looked last. */
  used: boolean;
  /** The arena takes the slot away: the tenant clears it and forgets its address. */
  evict(): void;
}

/**
 * Equal slots in the fixed WebAssembly memory, lent to keys. When all are taken the next victim is found by the clock
 * algorithm (second chance); an evicted key keeps its raw key and expands it again at its next use, which costs about
 * a microsecond. So any number of keys may live, memory stays bounded, and no key ever meets an error.
 */
export class Arena {
  readonly #tenants: (Tenant | undefined)[] = [];
  readonly #free: number[] = [];
  #hand = 0;

  constructor(
    private readonly base: number,
    private readonly slotBytes: number,
    private readonly count: number,
  ) {}

  /** @returns the address of a slot, which is the tenant's until `release` or `evict` */
  take(tenant: Tenant): number {
    let index = this.#free.pop();
    if (index === undefined)
      index = this.#tenants.length < this.count ? this.#tenants.length : this.#victim();
    this.#tenants[index] = tenant;
    return this.base + index * this.slotBytes;
  }

  release(address: number): void {
    const index = (address - this.base) / this.slotBytes;
    this.#tenants[index] = undefined;
    this.#free.push(index);
  }

  #victim(): number {
    for (;;) {
      const index = this.#hand;
      this.#hand = (index + 1) % this.count;
      const tenant = this.#tenants[index];
      if (tenant === undefined) continue;
      if (!tenant.used) {
        tenant.evict();
        return index;
      }
      tenant.used = false;
    }
  }
}
