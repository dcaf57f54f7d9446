/** Previews which users gain and lose access when the group is saved. */
import type { Effect } from '@tributary/contract/groups'
import { CancelButton } from '../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import css from './groups.module.css'
import { formatCount } from '../../ui/formats.ts'

interface AccessChangesDialogProps {
  effects: readonly Effect[]
  isSaving: boolean
  onSave: () => void
  onClose: () => void
}

export function AccessChangesDialog({ effects, isSaving, onSave, onClose }: AccessChangesDialogProps) {
  return (
    <FormDialog
      title="Who gains and who loses"
      subtitle={
        effects.length === 1
          ? 'Saving changes what 1 person may use.'
          : `Saving changes what ${formatCount(effects.length)} people may use.`
      }
      isBusy={isSaving}
      onClose={onClose}
      onSubmit={onSave}
      submitLabel="Save Security Group"
      otherButtons={<CancelButton hasFocus>Keep editing</CancelButton>}
    >
      {effects.map((effect) => (
        <section key={effect.UserId} className={css.effect}>
          <h3>{effect.Name}</h3>
          <ChangedNames word="Gains" names={effect.Gains} total={effect.GainCount} />
          <ChangedNames word="Loses" names={effect.Loses} total={effect.LossCount} />
        </section>
      ))}
    </FormDialog>
  )
}

function ChangedNames({ word, names, total }: { word: 'Gains' | 'Loses'; names: readonly string[]; total: number }) {
  if (total === 0) return null
  const rest = total - names.length
  return (
    <p className={css.change} data-tone={word === 'Gains' ? 'added' : 'removed'}>
      <strong>{`${word} ${formatCount(total)}:`}</strong> {names.join(', ')}
      {rest === 0 ? '' : ` and ${formatCount(rest)} more`}
    </p>
  )
}
