import { runShareLimits } from '@tributary/contract/limits'
import type { Organisation, RunShare } from '@tributary/contract/organisations'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { callQuery } from '../../api/call-query.ts'
import { useMay } from '../../api/session/workspace.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { formatCount } from '../../ui/formats.ts'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'

interface RunShareDialogProps {
  organisation: Organisation
  onClose: () => void
}

/** How many runs the organisation has at once. Everyone who may edit the organisation sees it; the provider's superadmins change it. */
export function RunShareDialog({ organisation, onClose }: RunShareDialogProps) {
  const may = useMay()
  const share = useQuery(runShareQuery(organisation.Id))
  if (share.data !== undefined && may('editRunShares'))
    return <RunShareForm organisation={organisation} share={share.data} onClose={onClose} />
  return (
    <Dialog title={titleOf(organisation)} onClose={onClose}>
      {share.data === undefined ? <QueryPlaceholder of={share} /> : <RunShareFacts share={share.data} />}
    </Dialog>
  )
}

function RunShareForm({ organisation, share, onClose }: RunShareDialogProps & { share: RunShare }) {
  const form = useForm(
    { runsMax: String(share.RunsMax), weight: String(share.Weight) },
    { runsMax: { check: checkUpTo(runShareLimits.runsMax) }, weight: { check: checkUpTo(runShareLimits.weightMax) } },
  )
  const save = useSaveRunShare(organisation, onClose)
  function submit() {
    if (!form.validate()) return
    const body = { runsMax: Number(form.values['runsMax']), weight: Number(form.values['weight']) }
    save.mutate(body, { onError: (error) => form.showErrors(fieldErrorsOf(error)) })
  }
  return (
    <MutationDialog
      title={titleOf(organisation)}
      isDirty={form.isDirty}
      mutation={save}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Save"
    >
      <RunShareUse share={share} />
      <TextField
        field={form.bind('runsMax')}
        label="Runs at once"
        help="In all workers together. Further runs wait until one ends."
        inputMode="numeric"
        isRequired
        hasFocus
      />
      <TextField
        field={form.bind('weight')}
        label="Weight"
        help="When runs of several organisations wait, an organisation of weight 2 is served twice as often as one of weight 1."
        inputMode="numeric"
        isRequired
      />
    </MutationDialog>
  )
}

function RunShareFacts({ share }: { share: RunShare }) {
  const { RunsMax, Weight } = share
  return (
    <>
      <RunShareUse share={share} />
      <p>
        {RunsMax === 1 ? 'One run at once' : `${formatCount(RunsMax)} runs at once`}, weight {formatCount(Weight)}.
      </p>
      <p className="subtle">Your provider sets the share.</p>
    </>
  )
}

function RunShareUse({ share: { Running, Waiting } }: { share: RunShare }) {
  const counted = Running === 1 ? 'One run is running' : `${formatCount(Running)} runs are running`
  const running = Running === 0 ? 'No run is running' : counted
  const waiting = Waiting === 1 ? 'one waits' : `${formatCount(Waiting)} wait`
  return <p>{Waiting === 0 ? `${running}; none waits for the share.` : `${running}; ${waiting} for the share.`}</p>
}

function titleOf({ CompanyName }: Organisation): string {
  return `Share of runs of ${CompanyName}`
}

function checkUpTo(max: number): (value: string) => string | null {
  return (value) => {
    const number = Number(value)
    return Number.isInteger(number) && number >= 1 && number <= max ? null : `must be a whole number from 1 to ${max}`
  }
}

function runShareQuery(clientId: string) {
  return callQuery(['run-share', clientId], 'GET /organisations/:clientId/run-share', { params: { clientId } })
}

function useSaveRunShare({ Id, CompanyName }: Organisation, onSaved: () => void) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (body: { readonly runsMax: number; readonly weight: number }) =>
      call('PUT /organisations/:clientId/run-share', { params: { clientId: Id }, body }),
    onSuccess: async () => {
      await invalidate(runShareQuery(Id))
      announceToScreenReader(`The share of runs of ${CompanyName} is saved.`)
      onSaved()
    },
  })
}
