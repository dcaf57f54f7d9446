/** Password rules that the operator can change. */
import { isHttpAddress, onOff, optionalText, wholeNumber } from './setting.ts'

export const signInSettings = {
  passwordMin: wholeNumber('TRIBUTARY_PASSWORD_MIN', {
    initial: '6',
    min: 6,
    max: 128,
    meaning: 'The minimum length of a password; 12 is recommended.',
  }),
  /** Null: passwords are not looked up in a list of breached passwords. */
  breachedPasswordsUrl: {
    ...optionalText('TRIBUTARY_BREACHED_PASSWORDS_URL', {
      example: 'https://ranges.example.com/range/',
      meaning:
        'Refuses new passwords that are known from breaches. The address of a list with range queries: the first five characters of the password’s SHA-1 hash are appended, and the response has lines of `REST:COUNT`. If the list does not respond, the password is accepted.',
    }),
    parse(given: string | undefined, problems: string[]): string | null {
      if (given !== undefined && !isHttpAddress(given))
        problems.push(
          `TRIBUTARY_BREACHED_PASSWORDS_URL: '${given}' is no address. Write it whole, as https://ranges.example.com/range/.`,
        )
      return given ?? null
    },
  },
  /** Whether a password that an administrator set must be changed at the first sign-in. */
  temporaryPasswords: onOff('TRIBUTARY_TEMPORARY_PASSWORDS', {
    initial: { trial: 'off', production: 'on' },
    meaning: 'Whether a person whose password an administrator set must change it at the next sign-in.',
  }),
}
