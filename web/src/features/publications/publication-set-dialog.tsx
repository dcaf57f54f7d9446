/** Chooses the connectors that are published together, and their rule. */
import type { PublicationSet, TieOutDemand } from '@tributary/contract/publications'
import { publicationLimits } from '@tributary/contract/limits'
import { useState } from 'react'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { CheckboxList } from '../../domain/link-editor/checkbox-list.tsx'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { FieldGroup } from '../../ui/forms/field-group.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { useSavePublicationSet } from './publication-queries.ts'

interface PublicationSetDialogProps {
  readonly set: PublicationSet
  readonly onClose: () => void
}

export function PublicationSetDialog({ set, onClose }: PublicationSetDialogProps) {
  const isNew = set.State === 'off'
  const inSet = set.Connectors.filter(({ IsInSet }) => isNew || IsInSet)
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set(inSet.map(({ ConnectorId }) => ConnectorId)))
  const [tieOut, setTieOut] = useState<TieOutDemand>(isNew ? 'green' : set.Rule.TieOut)
  const form = useForm(initialValues(set), {
    days: { isOptional: true, check: wholeUpTo(publicationLimits.daysMax) },
    hours: { isOptional: true, check: wholeUpTo(publicationLimits.hoursMax) },
  })
  const save = useSavePublicationSet(useOrganisationId(), set.Id, onClose)
  const numberOf = (name: string) => (form.values[name] === '' ? null : Number(form.values[name]))
  const submit = () =>
    form.validate() &&
    save.mutate({
      connectors: [...picked],
      tieOut,
      verifiedWithinDays: numberOf('days'),
      incidentAfterHours: numberOf('hours'),
    })
  return (
    <MutationDialog
      title={`Publish in ${set.Target}`}
      mutation={save}
      isDirty={form.isDirty}
      onClose={onClose}
      onSubmit={submit}
      submitLabel={isNew ? 'Publish' : 'Save'}
      isSubmitDisabled={picked.size === 0}
    >
      <FieldGroup legend="Connectors that move forward together">
        <CheckboxList
          what="connectors"
          items={set.Connectors.map(({ ConnectorId, Name }) => ({ id: ConnectorId, name: Name }))}
          picked={picked}
          onPick={setPicked}
        />
      </FieldGroup>
      <RadioGroup label="Tie-out" choices={tieOutChoices} value={tieOut} onChange={setTieOut} />
      <TextField
        field={form.bind('days')}
        label="Verified identical within days"
        inputMode="numeric"
        help="Each table must have been found identical with the source. Empty: not demanded."
      />
      <TextField
        field={form.bind('hours')}
        label="Incident after hours"
        inputMode="numeric"
        help="A connector that holds the publication back for longer is reported. Empty: never."
      />
      <Callout tone="info">
        All tables of these connectors keep history from their next runs on, which takes about their space again at
        first. The first publication follows when each connector has completed a run.
      </Callout>
    </MutationDialog>
  )
}

const tieOutChoices = [
  { value: 'green', label: 'Must agree', help: 'Sources without a report of their figures are not affected.' },
  { value: 'amber', label: 'Must not differ', help: 'Also a run that could not be compared is published.' },
  { value: 'any', label: 'Is not demanded' },
] as const

function initialValues({ State, Rule, IncidentAfterHours }: PublicationSet): Readonly<Record<string, string>> {
  if (State === 'off') return { days: '7', hours: '24' }
  return { days: textOf(Rule.VerifiedWithinDays), hours: textOf(IncidentAfterHours) }
}

function textOf(value: number | null): string {
  return value === null ? '' : String(value)
}

function wholeUpTo(max: number): (value: string) => string | null {
  return (value) =>
    /^[1-9]\d*$/u.test(value) && Number(value) <= max ? null : `must be a whole number from 1 to ${max}`
}
