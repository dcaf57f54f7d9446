/** Shows a large change in full before it is saved. */
import { CancelButton } from '../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import css from './link-editor.module.css'
import { type LinkChange, type LinkItem, countChanges } from './links.ts'

interface ReviewDialogProps {
  title: string
  change: LinkChange
  save: string
  onSave: () => void
  onClose: () => void
}

export function ReviewDialog({ title, change, save, onSave, onClose }: ReviewDialogProps) {
  return (
    <FormDialog
      title={`${countChanges(change)} changes`}
      subtitle={title}
      onClose={onClose}
      onSubmit={onSave}
      submitLabel={save}
      isSubmitFocused
      otherButtons={<CancelButton>Keep editing</CancelButton>}
    >
      {change.flag === null ? null : (
        <p>{`All current and future: ${change.flag === 'on' ? 'from now on' : 'no longer'}.`}</p>
      )}
      <Names title="Added" items={change.added} />
      <Names title="Removed" items={change.removed} />
    </FormDialog>
  )
}

function Names({ title, items }: { title: string; items: readonly LinkItem[] }) {
  if (items.length === 0) return null
  return (
    <section>
      <h3>{`${title} (${items.length})`}</h3>
      <ul className={css.review}>
        {items.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
    </section>
  )
}
