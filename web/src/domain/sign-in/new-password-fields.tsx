/** Fields for a new password and its confirmation, with the server's rules ticked off while the user types. */
import { IconCircle, IconCircleCheck } from '@tabler/icons-react/visitor-icons'
import { isCommonPassword, useCommonPasswords } from './common-passwords.ts'
import { PasswordField } from '../../ui/forms/text-fields.tsx'
import type { FormState, FieldRules } from '../../ui/forms/use-form.ts'
import css from './new-password-fields.module.css'

/** Initial values of a form with these fields. */
export const newPasswordValues = { password: '', repeated: '' }
export const newPasswordRules: FieldRules = {
  password: {
    check: (password) => (isCommonPassword(password) === true ? 'is among the most common ones; choose another' : null),
  },
  repeated: { mustEqual: { name: 'password', placeholder: 'Password' } },
}

/** Describes what the server requires of a new password. */
export function describePasswordRules(min: number): string {
  return `At least ${numbersFromSix[min - 6] ?? min} characters, one number or special character, not commonly used.`
}

interface NewPasswordFieldsProps {
  form: FormState
  /** The minimum number of characters. */
  min: number
}

export function NewPasswordFields({ form, min }: NewPasswordFieldsProps) {
  const password = String(form.values['password'] ?? '')
  useCommonPasswords()
  return (
    <>
      <div className={css.password}>
        <PasswordField
          field={form.bind('password')}
          label="Password"
          placeholder="Password"
          help={describePasswordRules(min)}
          autoComplete="new-password"
          isRequired
        />
        {password === '' ? null : <PasswordStrengthMeter password={password} min={min} />}
      </div>
      <PasswordField
        field={form.bind('repeated')}
        label="Confirm password"
        placeholder="Confirm password"
        autoComplete="new-password"
        isRequired
      />
    </>
  )
}

function PasswordStrengthMeter({ password, min }: { password: string; min: number }) {
  // A common password is guessed soon, however long it is.
  const level =
    isCommonPassword(password) === true ? Math.min(ratePassword(password, min), 1) : ratePassword(password, min)
  const requirements = [
    { text: `${min} characters or more`, isMet: [...password].length >= min },
    { text: 'A number or special character', isMet: /[^\p{L}\s]/u.test(password) },
    { text: 'Not commonly used', isMet: isCommonPassword(password) === false },
  ]
  return (
    <div className={css.strength}>
      <div className={css.bar} data-level={level} aria-hidden>
        <span />
        <span />
        <span />
        <span />
      </div>
      <p className={css.word} aria-live="polite">
        {words[level]}
      </p>
      <ul className={css.asked}>
        {requirements.map(({ text, isMet }) => (
          <li key={text} data-met={isMet || undefined}>
            {isMet ? <IconCircleCheck size={14} stroke={2.5} /> : <IconCircle size={14} stroke={2} />}
            {text}
            <span className="visually-hidden">{isMet ? ': yes' : ': not yet'}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const words = ['Too short', 'Weak', 'Fair', 'Good', 'Strong']

/**
 * Estimates the strength from length, character classes and repetition. Only a hint to the user; the server
 * decides.
 */
export function ratePassword(password: string, min: number): number {
  const characters = [...password.toLowerCase()]
  if (characters.length < min) return 0
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u].filter((kind) => kind.test(password)).length
  const bits = Math.min(characters.length, 2 * new Set(characters).size) * (1.6 + kinds * 0.6)
  const isPattern = /^(.+?)\1+$/u.test(password) || /0123|1234|2345|3456|abcd|qwer|asdf|passw/iu.test(password)
  const level = bits < 20 ? 1 : bits < 30 ? 2 : bits < 42 ? 3 : 4
  return isPattern && level > 1 ? 1 : level
}

/** From the smallest minimum that can be configured. */
const numbersFromSix = ['six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
