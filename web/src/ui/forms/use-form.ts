/**
 * Form state on top of `@mantine/form`. Validates on blur and on submit; an error disappears at the first
 * keystroke that corrects it.
 */
import { useForm as useMantineForm } from '@mantine/form'
import { type ReactNode, useRef } from 'react'

export type FieldValue = string | boolean
export interface FieldRule {
  /** Fields are required by default. Switches never are. */
  readonly isOptional?: boolean
  /** The field that this one must equal, and the placeholder to name it by. */
  readonly mustEqual?: { readonly name: string; readonly placeholder: string }
  /** Returns an error message, or null. */
  readonly check?: (value: string) => string | null
}
export type FieldRules = Readonly<Record<string, FieldRule>>
export type FormValues = Readonly<Record<string, FieldValue>>

interface BoundField {
  readonly name: string
  readonly error: ReactNode
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
  /** Shows errors from the server by field name, until the field changes or the form is submitted again. */
  showErrors(errors: Readonly<Record<string, string>>): void
  /** Validates all fields. If any fails, shows the errors, focuses the first and returns false. */
  validate(): boolean
}

/** Returns the error message of one field, or null. */
export function validateField(name: string, values: FormValues, rules: FieldRules): string | null {
  const rule = rules[name] ?? {}
  const value = values[name]
  if (typeof value !== 'string') return null
  if (value.trim() === '') return rule.isOptional === true ? null : 'required'
  if (rule.mustEqual !== undefined && value !== values[rule.mustEqual.name])
    return `Does not match ${rule.mustEqual.placeholder}`
  return rule.check?.(value) ?? null
}

/** `rules` as a function lets a choice in the form make other fields required. */
export function useForm(initial: FormValues, rules: FieldRules | ((values: FormValues) => FieldRules) = {}): FormState {
  const serverErrors = useRef<Readonly<Record<string, string>>>({})
  const form = useMantineForm({
    // One object, because field names contain dots, which the library reads as paths into nested values.
    initialValues: { fields: initial },
    // An error disappears when the value is right, not at the first keystroke.
    clearInputErrorOnChange: false,
    validate({ fields }) {
      const current = typeof rules === 'function' ? rules(fields) : rules
      const check = (name: string) => validateField(name, fields, current) ?? serverErrors.current[name]
      return Object.fromEntries(Object.keys(fields).map((name) => [name, check(name)]))
    },
  })
  const { fields: values } = form.values

  function change(name: string, value: FieldValue) {
    const { [name]: _, ...otherErrors } = serverErrors.current
    serverErrors.current = otherErrors
    form.setFieldValue('fields', (latest) => ({ ...latest, [name]: value }))
    if (form.errors[name] !== undefined) form.validateField(name)
  }
  const bindField = (name: string): BoundField => ({
    name,
    error: form.errors[name] ?? null,
    onBlur: () => afterPointer(() => form.validateField(name)),
  })
  return {
    values,
    isDirty: form.isDirty(),
    bind: (name) => ({
      ...bindField(name),
      value: String(values[name] ?? ''),
      onChange: (value) => change(name, value),
    }),
    bindSwitch: (name) => ({
      ...bindField(name),
      checked: values[name] === true,
      onChange: (value) => change(name, value),
    }),
    setValues(next) {
      serverErrors.current = {}
      form.setFieldValue('fields', next)
      form.clearErrors()
    },
    showErrors(errors) {
      serverErrors.current = errors
      form.setErrors(errors)
      focusFirst(errors)
    },
    validate() {
      serverErrors.current = {}
      const { errors, hasErrors } = form.validate()
      focusFirst(errors)
      return !hasErrors
    },
  }
}

/** Focuses the first field in error, in the order of the page. */
function focusFirst(errors: Readonly<Record<string, ReactNode>>): void {
  const fields = document.querySelectorAll<HTMLElement>('input[name], select[name], textarea[name]')
  ;[...fields].find((field) => (field.getAttribute('name') ?? '') in errors)?.focus()
}

let pointerReleased = Promise.resolve()
document.addEventListener(
  'pointerdown',
  () => {
    pointerReleased = new Promise((resolve) => {
      // The click event follows pointerup, so resolve in a later task.
      const release = () => setTimeout(resolve)
      for (const kind of ['pointerup', 'pointercancel'])
        document.addEventListener(kind, release, { capture: true, once: true })
    })
  },
  true,
)

/**
 * Pressing a button blurs the field. An error message shown at once would move the button, and the click would
 * miss it.
 */
function afterPointer(work: () => void): void {
  void pointerReleased.then(work)
}
