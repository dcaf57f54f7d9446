/** A password to be chosen, and once more; what the server will ask of it is said, and ticked off, while it is typed. */
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { isKnownCommon, useCommonPasswords } from './common-passwords.ts'
import { PasswordField } from '../../ui/forms/text-fields.tsx'
import type { Form, Rules } from '../../ui/forms/form.ts'
import css from './new-password-fields.module.css'

/** For the form that has these fields. */
export const newPasswordValues = { password: '', repeated: '' }
export const newPasswordRules: Rules = {
  password: {
    check: (password) => (isKnownCommon(password) === true ? 'is among the most common ones; choose another' : null),
  },
  repeated: { repeats: { name: 'password', placeholder: 'Password' } },
}

/** What the server asks of a new password. */
export function passwordHelp(min: number): string {
  return `At least ${inWords(min)} characters, one number or special character, not commonly used.`
}

interface NewPasswordFieldsProps {
  form: Form
  /** The least number of characters. */
  min: number
}

export function NewPasswordFields({ form, min }: NewPasswordFieldsProps) {
  const password = String(form.values['password'] ?? '')
  useCommonPasswords()
  return (
    <>
      <div className={css.password}>
        <PasswordField
          field={form.text('password')}
          label="Password"
          placeholder="Password"
          help={passwordHelp(min)}
          autoComplete="new-password"
          isRequired
        />
        {password === '' ? null : <Strength password={password} min={min} />}
      </div>
      <PasswordField
        field={form.text('repeated')}
        label="Confirm password"
        placeholder="Confirm password"
        autoComplete="new-password"
        isRequired
      />
    </>
  )
}

function Strength({ password, min }: { password: string; min: number }) {
  // Whatever its length, a password that everybody tries first is soon guessed.
  const level =
    isKnownCommon(password) === true ? (Math.min(strengthOf(password, min), 1) as Level) : strengthOf(password, min)
  const asked = [
    { text: `${min} characters or more`, isMet: [...password].length >= min },
    { text: 'A number or special character', isMet: /[^\p{L}\s]/u.test(password) },
    { text: 'Not commonly used', isMet: isKnownCommon(password) === false },
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
        {asked.map(({ text, isMet }) => (
          <li key={text} data-met={isMet || undefined}>
            {isMet ? (
              <IconCircleCheck size={14} stroke={2.5} aria-hidden />
            ) : (
              <IconCircle size={14} stroke={2} aria-hidden />
            )}
            {text}
            <span className="visually-hidden">{isMet ? ': yes' : ': not yet'}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const words = ['Too short', 'Weak', 'Fair', 'Good', 'Strong'] as const
type Level = 0 | 1 | 2 | 3 | 4

/** A hint, nothing more: what a guesser would need, by length, by kinds of characters and by how often one repeats. */
export function strengthOf(password: string, min: number): Level {
  const characters = [...password.toLowerCase()]
  if (characters.length < min) return 0
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u].filter((kind) => kind.test(password)).length
  const bits = Math.min(characters.length, 2 * new Set(characters).size) * (1.6 + kinds * 0.6)
  const isPattern = /^(.+?)\1+$/u.test(password) || /0123|1234|2345|3456|abcd|qwer|asdf|passw/iu.test(password)
  const level = bits < 20 ? 1 : bits < 30 ? 2 : bits < 42 ? 3 : 4
  return isPattern && level > 1 ? 1 : level
}

const numbers = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

function inWords(count: number): string {
  return numbers[count] ?? String(count)
}
