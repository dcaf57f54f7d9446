/** Passwords that everybody tries first: the 49,000 most common ones, and the very commonest with figures behind them. */
import { type CommonPasswords, commonPasswords, isAmongCommon } from '@tributary/contract/common-passwords'
import { createRequire } from 'node:module'
import type * as Language from '@zxcvbn-ts/language-common'

let lists: CommonPasswords | undefined

export function isCommonPassword(password: string): boolean {
  lists ??= load()
  return isAmongCommon(password, lists)
}

/** Takes some 40 ms and 5 MB, so the start does not wait for it: whoever first sets a password does. */
function load(): CommonPasswords {
  const require = createRequire(import.meta.url)
  const { dictionary } = require('@zxcvbn-ts/language-common') as typeof Language
  return commonPasswords(dictionary['passwords-common'])
}
