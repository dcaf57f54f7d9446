import { commonPasswords, withoutEnd } from '@tributary/contract/common-passwords'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'
import type * as Language from '@zxcvbn-ts/language-common'

const name = 'virtual:common-passwords'
const resolved = `\0${name}`

/** Provides `virtual:common-passwords`: the server's lists of refused passwords, without those that other rules refuse anyway. */
export function commonPasswordsModule(): Plugin {
  return {
    name: 'common-passwords',
    resolveId: (id) => (id === name ? resolved : null),
    load: (id) =>
      id === resolved ? `export const whole = ${text('whole')}\nexport const stems = ${text('stems')}` : null,
  }
}

/** One password a line. Sorting halves the compressed size. */
function text(list: 'whole' | 'stems'): string {
  const require = createRequire(import.meta.url)
  const { dictionary } = require('@zxcvbn-ts/language-common') as typeof Language
  const { whole, stems } = commonPasswords(dictionary['passwords-common'])
  const words =
    list === 'stems'
      ? stems
      : [...whole].filter((one) => one.length >= lengthMin && /[^\p{L}\s]/u.test(one) && !stems.has(withoutEnd(one)))
  return JSON.stringify([...words].toSorted().join('\n'))
}

/** The smallest minimum length that an installation can configure. */
const lengthMin = 6
