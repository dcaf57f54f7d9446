import type { Authorisation } from '@tributary/contract/authorisations'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { CallError } from '@tributary/client/call-error'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { Note } from '../../ui/feedback/callout.tsx'
import { RadioChoice } from '../../ui/forms/radio-group.tsx'
import type { ChoiceProps } from './choose-companies-props.ts'
import { Failure } from './mutation-error.tsx'
import { OfferedCompanies } from './offered-companies.tsx'
import { formerHelp, sortForFormer } from './company-availability.ts'
import { useChoose } from './use-choose-companies.ts'

interface ChooseFormerProps extends ChoiceProps {
  readonly reconnects: NonNullable<Authorisation['Reconnects']>
}

/** With which company a connector goes on; another than before only when that is confirmed, since its rows come into the same tables. */
export function ChooseFormer({ authorisation, reconnects, onConnected, onClose }: ChooseFormerProps) {
  const { open, taken, former } = sortForFormer(authorisation.Tenants)
  const [id, setId] = useState((former ?? open[0])?.TenantId ?? '')
  const choose = useChoose(authorisation.Id, onConnected)
  const warning = warningOf(choose.error)
  const name = open.find(({ TenantId }) => TenantId === id)?.Name
  return (
    <Dialog
      kind="modal"
      title={`Reconnect ${reconnects.Name}`}
      subtitle="It goes on where it stopped: its name, key, history and rows stay."
      isBusy={choose.isPending}
      onClose={onClose}
      onSubmit={() => id !== '' && choose.mutate({ tenantIds: [id], confirmOther: warning !== null })}
      footer={
        <>
          <CancelButton />
          <Button
            type="submit"
            disabled={id === ''}
            loading={choose.isPending}
            color={warning === null ? 'brand' : 'red'}
          >
            {warning === null ? 'Reconnect' : `Go on with ${name}`}
          </Button>
        </>
      }
    >
      {warning === null ? <Failure of={choose} /> : <Warning words={warning} />}
      {former === undefined && warning === null ? <FormerIsMissing name={reconnects.TenantName} /> : null}
      <RadioChoice
        label="The company to go on with"
        choices={open.map((tenant) => ({ value: tenant.TenantId, label: tenant.Name, help: formerHelp(tenant) }))}
        value={id}
        onChange={(next) => {
          choose.reset()
          setId(next)
        }}
        hasFocus
      />
      <OfferedCompanies tenants={taken} picked={new Set()} onToggle={() => {}} />
    </Dialog>
  )
}

/** The server's words where it asks first; null otherwise. */
function warningOf(error: Error | null): string | null {
  return error instanceof CallError && error.code === 'otherTenant' ? error.message : null
}

function Warning({ words }: { words: string }) {
  return (
    <div role="alert">
      <Note tone="warn" title="Another company">
        <p>{words}</p>
      </Note>
    </div>
  )
}

function FormerIsMissing({ name }: { name: string }) {
  return (
    <Note tone="warn" title={`${name} was not opened.`}>
      This connector moved it so far. To go on with it, cancel, reconnect again, and allow {name} at the source.
    </Note>
  )
}
