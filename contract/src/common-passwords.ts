/** Passwords that everybody tries first. The lists are large, so that each side loads them when somebody chooses a password. */

export interface CommonPasswords {
  /** In lower case. */
  readonly whole: ReadonlySet<string>
  /** The most common of those that end in a letter: `summer` is among them, hence `Summer2026!` is no better. */
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

/** The password without the digits and signs behind its last letter. */
export function withoutEnd(password: string): string {
  return password.replace(/[^\p{L}]+$/u, '')
}
