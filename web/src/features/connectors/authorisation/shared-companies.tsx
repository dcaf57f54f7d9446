/** The companies of a connector that moves several into one set of tables, and how to take one off. */
import type { SharedCompany } from '@tributary/contract/authorisations'
import { Button } from '@mantine/core'
import { useId, useState } from 'react'
import { call } from '../../../api/call.ts'
import { connectorAuthorisation } from '../../../api/queries/authorisations.ts'
import { useOrganisationId } from '../../../api/session/workspace.ts'
import { useInvalidate } from '../../../api/use-invalidate.ts'
import { useMutation } from '../../../api/use-mutation.ts'
import { formatCompanyLocation } from '../../../domain/connectors/company-location.ts'
import { MutationDialog } from '../../../domain/requests/mutation-dialog.tsx'
import { RadioGroup } from '../../../ui/forms/radio-group.tsx'
import css from '../connectors.module.css'

interface SharedCompaniesProps {
  readonly connectorId: string
  readonly companies: readonly SharedCompany[]
}

export function SharedCompanies({ connectorId, companies }: SharedCompaniesProps) {
  const [removed, setRemoved] = useState<SharedCompany | null>(null)
  const titleId = useId()
  if (companies.length === 0) return null
  const isLast = companies.filter(({ Status }) => Status !== 'KEPT').length < 2
  return (
    <>
      <h4 className={css.listTitle} id={titleId}>
        Companies
      </h4>
      <ul className={css.companies} aria-labelledby={titleId}>
        {companies.map((company) => (
          <li key={company.TenantId}>
            <span>
              {company.Name}
              <span className="small subtle">{describeCompany(company)}</span>
            </span>
            {company.Status === 'KEPT' || !isLast ? (
              <Button
                variant="default"
                size="compact-md"
                aria-label={`${company.Status === 'KEPT' ? 'Remove rows of' : 'Take off'} ${company.Name}`}
                onClick={() => setRemoved(company)}
              >
                {company.Status === 'KEPT' ? 'Remove rows' : 'Take off'}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {removed === null ? null : (
        <TakeOffDialog connectorId={connectorId} company={removed} onClose={() => setRemoved(null)} />
      )}
    </>
  )
}

const statusTexts = {
  ACTIVE: '',
  DEAD: 'sign-in has ended; its rows stay as they were',
  NONE: 'not connected',
  KEPT: 'taken off; its rows stay',
} as const

function describeCompany({ Country, Currency, Status }: SharedCompany): string {
  return [formatCompanyLocation(Country, Currency), statusTexts[Status]].filter((part) => part !== '').join(' · ')
}

const rowChoices = [
  { value: 'leave', label: 'Remove its rows', help: 'They leave every table with the next run.' },
  {
    value: 'stay',
    label: 'Keep its rows',
    help: 'They stay as they are. If the company is added again, it continues there.',
  },
] as const

interface TakeOffDialogProps {
  readonly connectorId: string
  readonly company: SharedCompany
  readonly onClose: () => void
}

function TakeOffDialog({ connectorId, company: { TenantId, Name, Status }, onClose }: TakeOffDialogProps) {
  const clientId = useOrganisationId()
  const [rows, setRows] = useState<'leave' | 'stay'>('leave')
  const invalidate = useInvalidate()
  const takeOff = useMutation({
    mutationFn: () =>
      call('DELETE /tributary/clients/:clientId/connectors/:connectorId/companies/:tenantId', {
        params: { clientId, connectorId, tenantId: TenantId },
        query: { rows },
      }),
    onSuccess: async () => {
      await invalidate(connectorAuthorisation({ clientId, connectorId }))
      onClose()
    },
  })
  return (
    <MutationDialog
      title={Status === 'KEPT' ? `Remove the rows of ${Name}?` : `Take ${Name} off?`}
      subtitle="The other companies of the connector are not affected."
      mutation={takeOff}
      onClose={onClose}
      onSubmit={() => takeOff.mutate()}
      submitLabel={Status === 'KEPT' ? 'Remove rows' : 'Take off'}
      isDanger={rows === 'leave'}
    >
      {Status === 'KEPT' ? (
        <p>They leave every table with the next run.</p>
      ) : (
        <RadioGroup label="Its rows in the tables" choices={rowChoices} value={rows} onChange={setRows} hasFocus />
      )}
    </MutationDialog>
  )
}
