/** Issues a certificate and opens it as a page to print. */
import type { Certificate } from '@tributary/contract/certificates'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { connectorList } from '../../api/queries/common-queries.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { paths } from '../../paths.ts'
import { MutationError } from '../requests/mutation-error.tsx'

interface CertifyButtonProps {
  /** What is certified, for people who do not see where the button is. */
  readonly label: string
  readonly isSmall?: boolean
  readonly issue: () => Promise<Certificate>
}

export function CertifyButton({ label, isSmall = false, issue }: CertifyButtonProps) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { identity, organisation } = useWorkspace()
  const connectors = useQuery(connectorList(organisation.Id))
  const issuing = useMutation({
    mutationFn: issue,
    onSuccess: async ({ Id, ConnectorId }) => {
      await queries.invalidateQueries({ queryKey: ['certificates'] })
      const type = connectors.data?.find((connector) => connector.Id === ConnectorId)?.Type ?? ''
      await navigate(paths.issuedCertificate(type, ConnectorId ?? '', Id))
    },
  })
  // An auditor reads what was issued.
  if (identity.auditorUntil !== undefined) return null
  return (
    <>
      <Button
        variant="default"
        {...(isSmall && { size: 'compact-sm' })}
        aria-label={label}
        loading={issuing.isPending}
        onClick={() => issuing.mutate()}
      >
        Certificate
      </Button>
      <MutationError of={issuing} />
    </>
  )
}
