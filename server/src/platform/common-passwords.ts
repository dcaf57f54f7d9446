/** Passwords that everybody tries first: the 49,000 most common ones, and the very commonest with figures behind them. */
import { createRequire } from 'node:module'
import type * as Language from '@zxcvbn-ts/language-common'

/** `summer` is among them, hence `Summer2026!` is no better. */
const stemsMax = 3_000

interface Lists {
  readonly whole: ReadonlySet<string>
  readonly stems: ReadonlySet<string>
}
let lists: Lists | undefined

export function isCommonPassword(password: string): boolean {
  lists ??= load()
  const plain = password.toLowerCase()
  return lists.whole.has(plain) || lists.stems.has(plain.replace(/[^\p{L}]+$/u, ''))
}

/** Takes some 40 ms and 5 MB, so the start does not wait for it: whoever first sets a password does. */
function load(): Lists {
  const require = createRequire(import.meta.url)
  const { dictionary } = require('@zxcvbn-ts/language-common') as typeof Language
  // The most common come first.
  const known = dictionary['passwords-common']
  const stems = known.filter((one) => /^\D*\p{L}$/u.test(one)).slice(0, stemsMax)
  return { whole: new Set(known), stems: new Set(stems) }
}
