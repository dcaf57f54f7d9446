/** Radio buttons with a legend and optional help per choice. */
import { useId } from 'react'
import css from './radio-group.module.css'

interface RadioGroupProps<Value extends string> {
  label: string
  choices: readonly { readonly value: Value; readonly label: string; readonly help?: string }[]
  value: Value
  onChange: (value: Value) => void
  /** Focused when its dialog opens. */
  hasFocus?: boolean
}

export function RadioGroup<Value extends string>({
  label,
  choices,
  value,
  onChange,
  hasFocus = false,
}: RadioGroupProps<Value>) {
  const name = useId()
  const focused = choices.find((choice) => choice.value === value) ?? choices[0]
  return (
    <fieldset className={css.choice}>
      <legend className={css.legend}>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={css.option}>
          <input
            type="radio"
            name={name}
            className={css.radio}
            checked={choice.value === value}
            data-autofocus={(hasFocus && choice === focused) || undefined}
            onChange={() => onChange(choice.value)}
            aria-describedby={choice.help === undefined ? undefined : `${name}-${choice.value}`}
          />
          <span>{choice.label}</span>
          {choice.help === undefined ? null : (
            <span id={`${name}-${choice.value}`} className={css.help}>
              {choice.help}
            </span>
          )}
        </label>
      ))}
    </fieldset>
  )
}
