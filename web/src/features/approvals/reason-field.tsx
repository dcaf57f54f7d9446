import { rejectionReasonMax } from '@tributary/contract/limits'
import { Textarea } from '@mantine/core'
import { focusOnMount } from '../../ui/hooks/focus-on-mount.ts'

interface ReasonFieldProps {
  value: string
  onChange: (reason: string) => void
  hasFocus?: boolean
}

/** The reason for a rejection. */
export function ReasonField({ value, onChange, hasFocus = false }: ReasonFieldProps) {
  return (
    <Textarea
      ref={hasFocus ? focusOnMount : undefined}
      label="Reason (optional)"
      description="The applicant gets it by email."
      rows={2}
      maxLength={rejectionReasonMax}
      value={value}
      data-autofocus={hasFocus || undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
