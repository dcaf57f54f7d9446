import { commonPasswords, withoutEnd } from '@tributary/contract/common-passwords'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'
import type * as Language from '@zxcvbn-ts/language-common'

const name = 'virtual:common-passwords'
const resolved = `\0${name}`

/** The module `virtual:common-passwords`: the lists that the server refuses passwords by, without what other rules refuse anyway. */
export function commonPasswordsModule(): Plugin {
  return {
    name: 'common-passwords',
    resolveId: (id) => (id === name ? resolved : null),
    load: (id) =>
      id === resolved ? `export const whole = ${text('whole')}\nexport const stems = ${text('stems')}` : null,
  }
}

/** Sorted, which makes the file half as large when it is compressed; with lines in between. */
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

/** The least that an installation may ask for. */
const lengthMin = 6
