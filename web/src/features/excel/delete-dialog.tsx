import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../api/call-error.ts'
import { tell } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBanner } from '../../ui/error-banner.tsx'
import type { AnyRecord, Kind } from './kind.ts'
import { useRefresh } from './use-records.ts'

interface DeleteDialogProps<Row extends AnyRecord> {
  kind: Kind<Row>
  row: Row
  onClose: () => void
}

export function DeleteDialog<Row extends AnyRecord>({ kind, row, onClose }: DeleteDialogProps<Row>) {
  const refresh = useRefresh()
  const remove = useMutation({
    mutationFn: () => kind.remove(row.Id),
    onSuccess: async () => {
      await refresh()
      tell(`${row.Name} is deleted.`)
      onClose()
    },
  })
  return (
    <Dialog
      kind="modal"
      title={`Delete ${row.Name}?`}
      onClose={onClose}
      onSubmit={() => remove.mutate()}
      footer={
        <>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={remove.isPending}>
            Delete
          </Button>
        </>
      }
    >
      <ErrorBanner message={remove.error === null ? null : messageOf(remove.error)} onDismiss={remove.reset} />
      <p>{kind.goesWith(row)}</p>
      <p className="small subtle">
        {kind.statuses.includes('archived')
          ? 'This cannot be undone. To only put it out of use, edit it and choose Archive.'
          : 'This cannot be undone.'}
      </p>
    </Dialog>
  )
}
