/** A six-digit code in a single input that looks like six boxes, so that it can be pasted and autofilled. */
import { Input } from '@mantine/core'
import { verificationCodeLength as codeLength } from '@tributary/contract/limits'
import { useEffect, useId, useRef, useState } from 'react'
import type { BoundTextField } from '../../ui/forms/use-form.ts'
import css from './verification-code-field.module.css'

interface VerificationCodeFieldProps {
  field: BoundTextField
  label?: string
  /** Called with the last digit. Only for a form without other fields. */
  onComplete?: (value: string) => void
}

const positions = Array.from({ length: codeLength }, (_, index) => index)

export function VerificationCodeField({
  field: { value, error, onChange },
  label = 'Verification code',
  onComplete,
}: VerificationCodeFieldProps) {
  const id = useId()
  const [hasFocus, setFocus] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  // The code is the only thing to enter here.
  useEffect(() => input.current?.focus(), [])

  function change(typed: string) {
    const digits = typed.replace(/\D/g, '').slice(0, codeLength)
    onChange(digits)
    if (digits.length === codeLength && digits !== value) onComplete?.(digits)
  }

  return (
    <Input.Wrapper id={id} label={label} error={error}>
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
        {positions.map((position) => (
          <span
            key={position}
            aria-hidden
            className={css.box}
            data-current={(hasFocus && position === Math.min(value.length, codeLength - 1)) || undefined}
          >
            {value[position]}
          </span>
        ))}
      </div>
    </Input.Wrapper>
  )
}
