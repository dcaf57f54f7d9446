/** Shows a large change in full before it is saved. */
import { Button } from '@mantine/core'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
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
    <Dialog
      kind="modal"
      title={`${countChanges(change)} changes`}
      subtitle={title}
      onClose={onClose}
      onSubmit={onSave}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            Keep editing
          </Button>
          <Button type="submit" data-autofocus>
            {save}
          </Button>
        </>
      }
    >
      {change.flag === null ? null : (
        <p>{`All current and future: ${change.flag === 'on' ? 'from now on' : 'no longer'}.`}</p>
      )}
      <Names title="Added" items={change.added} />
      <Names title="Removed" items={change.removed} />
    </Dialog>
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
