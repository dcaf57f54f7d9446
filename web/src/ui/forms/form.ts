/** Form values and their checks: on blur and on submit, cleared by the first keystroke that mends them. */
import { useRef, useState } from 'react'

export type FieldValue = string | boolean
export interface FieldRule {
  /** Fields are required unless said otherwise; switches never are. */
  readonly isOptional?: boolean
  /** The field that this one must repeat, and what that field calls itself. */
  readonly mustEqual?: { readonly name: string; readonly placeholder: string }
  /** A sentence that says what is wrong, or null. */
  readonly check?: (value: string) => string | null
}
export type FieldRules = Readonly<Record<string, FieldRule>>
export type FormValues = Readonly<Record<string, FieldValue>>

interface BoundField {
  readonly name: string
  readonly error: string | null
  readonly onBlur: () => void
}
export interface BoundTextField extends BoundField {
  readonly value: string
  readonly onChange: (value: string) => void
}
export interface BoundSwitchField extends BoundField {
  readonly checked: boolean
  readonly onChange: (value: boolean) => void
}
export interface FormState {
  readonly values: FormValues
  readonly isDirty: boolean
  bind(name: string): BoundTextField
  bindSwitch(name: string): BoundSwitchField
  setValues(values: FormValues): void
  /** Errors that only the server could find. */
  showErrors(errors: Readonly<Record<string, string>>): void
  /** True when all pass; else shows the errors and moves to the first. */
  validate(): boolean
}

export function validateField(name: string, values: FormValues, rules: FieldRules): string | null {
  const rule = rules[name] ?? {}
  const value = values[name]
  if (typeof value !== 'string') return null
  if (value.trim() === '') return rule.isOptional === true ? null : 'required'
  if (rule.mustEqual !== undefined && value !== values[rule.mustEqual.name])
    return `Does not match ${rule.mustEqual.placeholder}`
  return rule.check?.(value) ?? null
}

/** `rules` may follow what the form holds: which fields a choice makes required. */
export function useForm(initial: FormValues, rules: FieldRules | ((values: FormValues) => FieldRules)): FormState {
  const [start] = useState(initial)
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Readonly<Record<string, string | null>>>({})
  const latest = useRef(values)
  // What only the server could find holds for what was sent, so it stays until the field is changed.
  const told = useRef<Record<string, string>>({})
  const check = (name: string) =>
    validateField(name, latest.current, typeof rules === 'function' ? rules(latest.current) : rules)

  function change(name: string, value: FieldValue) {
    const next = { ...latest.current, [name]: value }
    latest.current = next
    delete told.current[name]
    setValues(next)
    setErrors((known) => (known[name] ? { ...known, [name]: check(name) } : known))
  }
  const bind = (name: string): BoundField => ({
    name,
    error: errors[name] ?? null,
    // The field may be left by pressing a button: an error that pushes the button away would make the click miss.
    onBlur: () =>
      afterPointer(() => setErrors((known) => ({ ...known, [name]: check(name) ?? told.current[name] ?? null }))),
  })
  return {
    values,
    isDirty: Object.keys({ ...start, ...values }).some((name) => start[name] !== values[name]),
    bind: (name) => ({ ...bind(name), value: String(values[name] ?? ''), onChange: (value) => change(name, value) }),
    bindSwitch: (name) => ({ ...bind(name), checked: values[name] === true, onChange: (value) => change(name, value) }),
    setValues(next) {
      latest.current = next
      told.current = {}
      setValues(next)
      setErrors({})
    },
    showErrors: (found) => {
      told.current = { ...found }
      setErrors(found)
      focusFirst(Object.keys(found))
    },
    validate() {
      told.current = {}
      const found = Object.keys(latest.current).map((name) => [name, check(name)] as const)
      const wrong = found.filter(([, error]) => error !== null).map(([name]) => name)
      setErrors(Object.fromEntries(found))
      focusFirst(wrong)
      return wrong.length === 0
    },
  }
}

function focusFirst(names: readonly string[]): void {
  const isWrong = new Set(names)
  const fields = document.querySelectorAll<HTMLElement>('input[name], select[name], textarea[name]')
  const first = [...fields].find((field) => isWrong.has(field.getAttribute('name') ?? ''))
  first?.focus()
}

let isPointerDown = false
const atPointerUp: (() => void)[] = []
document.addEventListener('pointerdown', () => (isPointerDown = true), true)
for (const kind of ['pointerup', 'pointercancel']) {
  document.addEventListener(
    kind,
    () => {
      isPointerDown = false
      // The click comes after the pointer is up, so wait for it.
      setTimeout(() => atPointerUp.splice(0).forEach((work) => work()))
    },
    true,
  )
}

function afterPointer(work: () => void): void {
  if (isPointerDown) atPointerUp.push(work)
  else work()
}
