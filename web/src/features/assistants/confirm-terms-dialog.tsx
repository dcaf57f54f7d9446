import { Checkbox } from '@mantine/core'
import type { AssistantSource } from '@tributary/contract/assistants'
import { useState } from 'react'
import { MutationDialog, type MutationDialogProps } from '../../domain/requests/mutation-dialog.tsx'

interface ConfirmTermsProps extends Pick<MutationDialogProps, 'mutation' | 'onClose'> {
  /** Of the source. */
  title: string
  terms: NonNullable<AssistantSource['Terms']>
  onConfirm: () => void
}

/** Opens a source whose terms restrict assistants, after the administrator has confirmed to have read these terms. */
export function ConfirmTermsDialog({ title, terms, mutation, onConfirm, onClose }: ConfirmTermsProps) {
  const [isConfirmed, setConfirmed] = useState(false)
  return (
    <MutationDialog
      title={`Open ${title} to assistants?`}
      mutation={mutation}
      onClose={onClose}
      onSubmit={onConfirm}
      isSubmitDisabled={!isConfirmed}
      submitLabel={`Open ${title}`}
    >
      <p>
        The{' '}
        <a href={terms.Address} target="_blank" rel="noreferrer">
          {terms.Name}
        </a>{' '}
        bind your organisation. {terms.Restriction}
      </p>
      <p>
        Tributary cannot see what the maker of an assistant does with the rows that it reads. Ask the maker, or choose a
        contract that excludes training.
      </p>
      <Checkbox
        label={`I have read the ${terms.Name}, and our use of assistants complies with them.`}
        checked={isConfirmed}
        onChange={(event) => setConfirmed(event.currentTarget.checked)}
      />
    </MutationDialog>
  )
}
