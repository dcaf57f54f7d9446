/**
 * Dialogs over the management page of a type that uses OAuth: the choice of a method, then of the companies. The URL
 * says which one is open.
 */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useConnectorType } from '../../domain/connectors/use-connector-type.ts'
import { connectorList } from '../../api/queries/common-queries.ts'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import { oauthAppList } from './api.ts'
import { ChooseCompaniesDialog } from './choose-companies-dialog.tsx'
import { AuthorisationMethodsDialog } from './authorisation-methods-dialog.tsx'

export function AuthorisationDialogs() {
  const { name, type } = useConnectorType()
  const { organisation } = useWorkspace()
  const mayAdd = useMay()('addConnector')
  const navigate = useNavigate()
  const params = useUrlParams()
  const reconnectId = params.get('reconnect')
  const reconnected = useQuery(connectorList(organisation.Id)).data?.find(({ Id }) => Id === reconnectId)
  const isOffered = type?.RequiresAuthorisation === true && mayAdd
  useQuery({ ...oauthAppList(organisation.Id), enabled: isOffered })
  if (!isOffered) return null

  const page = paths.manage(name)
  const close = () => void navigate(page)
  const showConnected = (ids: readonly string[]) =>
    void navigate(`${page}?connected=${ids.join('+')}`, { replace: true })
  const authorisationId = params.get('authorisation')
  if (authorisationId !== null)
    return (
      <ChooseCompaniesDialog
        key={authorisationId}
        authorisationId={authorisationId}
        onConnected={showConnected}
        onClose={close}
      />
    )
  const isNew = params.get('new') === 'true'
  if (reconnected === undefined && !isNew && !params.has('add')) return null
  return (
    <AuthorisationMethodsDialog
      type={type}
      reconnected={reconnected ?? null}
      onConnected={showConnected}
      onClose={reconnected === undefined && isNew ? () => void navigate(paths.home) : close}
    />
  )
}
