import { Input } from '@mantine/core'
import { LazyBoundary, lazyComponent } from '../lazy-component.tsx'
import type { DateFieldProps } from './date-field.tsx'

const Field = lazyComponent(() => import('./date-field.tsx'), 'DateField')

/** A date field whose calendar loads separately. Until then its label and a place of the same height are shown. */
export function LazyDateField(props: DateFieldProps) {
  const placeholder = (
    <Input.Wrapper label={props.label} description={props.description}>
      <Input disabled />
    </Input.Wrapper>
  )
  return (
    <LazyBoundary fallback={placeholder}>
      <Field {...props} />
    </LazyBoundary>
  )
}
