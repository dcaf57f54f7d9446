/** Password rules that the operator can change. */
import { onOff, optionalText, wholeNumber } from './setting.ts'

export const signInSettings = {
  passwordMin: wholeNumber('TRIBUTARY_PASSWORD_MIN', {
    initial: '6',
    min: 6,
    max: 128,
    meaning: 'The fewest characters of a password; 12 is advised.',
  }),
  /** Null: passwords are not looked up in a list of breached passwords. */
  breachedPasswordsUrl: {
    ...optionalText('TRIBUTARY_BREACHED_PASSWORDS_URL', {
      example: 'https://ranges.example.com/range/',
      meaning:
        'Refuses new passwords that are known from breaches. The address of a list that is asked by range: the first five characters of a SHA-1 hash are put behind it, and it answers lines of `REST:COUNT`. Where it does not answer, the password is taken.',
    }),
    parse(given: string | undefined, problems: string[]): string | null {
      if (given !== undefined && !/^https?:$/u.test(URL.parse(given)?.protocol ?? ''))
        problems.push(
          `TRIBUTARY_BREACHED_PASSWORDS_URL: '${given}' is no address. Write it whole, as https://ranges.example.com/range/.`,
        )
      return given ?? null
    },
  },
  /** Whether a password that an administrator set must be changed at the first sign-in. */
  temporaryPasswords: onOff('TRIBUTARY_TEMPORARY_PASSWORDS', {
    initial: { trial: 'off', production: 'on' },
    meaning: 'A person who signs in with a password that an administrator set must change it first.',
  }),
}
