/**
 * Over the management page of a type that is connected by signing in at the source: the ways in, and what is left to choose after
 * one of them. The address says which.
 */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useType } from '../../domain/connectors/use-connector-type.ts'
import { connectorList } from '../../api/queries/common-queries.ts'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { useAddress } from '../../ui/hooks/search-params.ts'
import { appList } from './api.ts'
import { ChooseDialog } from './choose-companies-dialog.tsx'
import { WaysDialog } from './authorisation-methods-dialog.tsx'

export function AuthoriseDialogs() {
  const { name, type } = useType()
  const { organisation } = useWorkspace()
  const mayAdd = useMay()('addConnector')
  const navigate = useNavigate()
  const params = useAddress()
  const reconnectId = params.get('reconnect')
  const former = useQuery(connectorList(organisation.Id)).data?.find(({ Id }) => Id === reconnectId)
  const isOffered = type?.RequiresAuthorisation === true && mayAdd
  useQuery({ ...appList(organisation.Id), enabled: isOffered })
  if (!isOffered) return null

  const page = paths.manage(name)
  const close = () => void navigate(page)
  const showConnected = (ids: readonly string[]) =>
    void navigate(`${page}?connected=${ids.join('+')}`, { replace: true })
  const authorisationId = params.get('authorisation')
  if (authorisationId !== null)
    return (
      <ChooseDialog
        key={authorisationId}
        authorisationId={authorisationId}
        onConnected={showConnected}
        onClose={close}
      />
    )
  if (former !== undefined)
    return <WaysDialog type={type} former={former} onConnected={showConnected} onClose={close} />
  if (params.get('new') === 'true')
    return (
      <WaysDialog type={type} former={null} onConnected={showConnected} onClose={() => void navigate(paths.home)} />
    )
  return params.has('add') ? <WaysDialog type={type} former={null} onConnected={showConnected} onClose={close} /> : null
}
