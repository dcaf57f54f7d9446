/** Common passwords. The lists are large, so each side loads them lazily, when a person chooses a password. */

export interface CommonPasswords {
  /** In lower case. */
  readonly whole: ReadonlySet<string>
  /** The most common ones that end in a letter. `summer` is among them, so `Summer2026!` is rejected, too. */
  readonly stems: ReadonlySet<string>
}

const stemsMax = 3_000

/** @param known in lower case, the most common first. */
export function commonPasswords(known: readonly string[]): CommonPasswords {
  return { whole: new Set(known), stems: new Set(known.filter((one) => /^\D*\p{L}$/u.test(one)).slice(0, stemsMax)) }
}

export function isAmongCommon(password: string, { whole, stems }: CommonPasswords): boolean {
  const plain = password.normalize('NFKC').toLowerCase()
  return whole.has(plain) || stems.has(withoutEnd(plain))
}

/** The password without the digits and signs after its last letter. */
export function withoutEnd(password: string): string {
  return password.replace(/[^\p{L}]+$/u, '')
}
