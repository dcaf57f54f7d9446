/** Six digits, typed or pasted into one real field that is drawn as six boxes. */
import { Input } from '@mantine/core'
import { verificationCodeLength as codeLength } from '@tributary/contract/limits'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import css from './verification-code-field.module.css'

interface CodeFieldProps {
  label: string
  help?: ReactNode
  value: string
  error?: string | null
  onChange: (value: string) => void
  /** The last digit is there. Only for a form that asks for nothing else. */
  onComplete?: (value: string) => void
}

const places = Array.from({ length: codeLength }, (_, index) => index)

export function CodeField({ label, help, value, error = null, onChange, onComplete }: CodeFieldProps) {
  const id = useId()
  const [hasFocus, setFocus] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  // Whoever comes here has the code at hand, and nothing else is to be done.
  useEffect(() => input.current?.focus(), [])

  function change(typed: string) {
    const digits = typed.replace(/\D/g, '').slice(0, codeLength)
    onChange(digits)
    if (digits.length === codeLength && digits !== value) onComplete?.(digits)
  }

  return (
    <Input.Wrapper id={id} label={label} error={error} {...(help === undefined ? {} : { description: help })}>
      <div className={css.frame} data-wrong={error !== null || undefined}>
        <input
          id={id}
          className={css.input}
          name="code"
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          aria-required
          aria-invalid={error !== null}
          ref={input}
          data-autofocus
          value={value}
          onFocus={() => setFocus(true)}
          onBlur={() => setFocus(false)}
          onChange={(event) => change(event.currentTarget.value)}
        />
        {places.map((place) => (
          <span
            key={place}
            aria-hidden
            className={css.box}
            data-current={(hasFocus && place === Math.min(value.length, codeLength - 1)) || undefined}
          >
            {value[place]}
          </span>
        ))}
      </div>
    </Input.Wrapper>
  )
}
