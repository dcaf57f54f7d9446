/** Refuses the 49,000 most common passwords, and the most frequent of them followed by digits. */
import { type CommonPasswords, commonPasswords, isAmongCommon } from '@tributary/contract/common-passwords'
import { createRequire } from 'node:module'
import type * as Language from '@zxcvbn-ts/language-common'

let lists: CommonPasswords | undefined

export function isCommonPassword(password: string): boolean {
  lists ??= load()
  return isAmongCommon(password, lists)
}

/** Lazy: loading takes about 40 ms and 5 MB, so it happens with the first new password and not at the start. */
function load(): CommonPasswords {
  const require = createRequire(import.meta.url)
  const { dictionary } = require('@zxcvbn-ts/language-common') as typeof Language
  return commonPasswords(dictionary['passwords-common'])
}
