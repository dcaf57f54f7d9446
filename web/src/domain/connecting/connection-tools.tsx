/** Every way to open the warehouse in another program: files to download, lines to copy, steps to follow. */
import type { CallReply } from '@tributary/contract/calls'
import {
  connectionLine,
  type ConnectionLineKind,
  connectionLineKinds,
  connectionSteps,
  type ConnectionStepKind,
  connectionStepKinds,
  powerBiDataSource,
  type WarehouseAddress,
} from '@tributary/contract/connection-lines'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { paths } from '../../paths.ts'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { downloadFile } from '../../ui/files/download.ts'
import { MutationError } from '../requests/mutation-error.tsx'
import { QueryResult } from '../requests/query-result.tsx'
import { connectionQuery } from './connection-query.ts'
import css from './connection-tools.module.css'
import { TestedLogin, Tool } from './tool.tsx'
import { WorkbookDialog } from './workbook-dialog.tsx'

interface ConnectionToolsProps {
  clientId: string
  /** The login that lines and steps name; by default the person's own. */
  sharedLogin?: string
}

export function ConnectionTools({ clientId, sharedLogin }: ConnectionToolsProps) {
  const query = useQuery(connectionQuery(clientId))
  return (
    <QueryResult query={query} loading={<SkeletonLines count={6} height={40} />}>
      {(connection) => (
        <TestedLogin value={sharedLogin === undefined ? 'own' : 'shared'}>
          <ToolList clientId={clientId} connection={{ ...connection, User: sharedLogin ?? connection.User }} />
        </TestedLogin>
      )}
    </QueryResult>
  )
}

interface ToolListProps {
  clientId: string
  connection: CallReply<'GET /tributary/clients/:clientId/reports/connection'>
}

function ToolList({ clientId, connection }: ToolListProps) {
  const address = toAddress(connection)
  return (
    <>
      {connection.User === null ? (
        <p className="small subtle">
          You have no database login yet. Once you have created one, its name replaces {placeholder} here.
        </p>
      ) : null}
      <ul className={css.tools}>
        <ExcelTool clientId={clientId} />
        <FeedTool clientId={clientId} address={connection.FeedUrl} />
        <PowerBiTools clientId={clientId} address={address} />
        {connectionLineKinds.map((kind) => (
          <Tool key={kind} clientId={clientId} name={lineNames[kind]}>
            <CodeLine text={connectionLine(kind, address)} what={`${lineNames[kind]} line`} />
          </Tool>
        ))}
        {connectionStepKinds.map((kind) => (
          <Tool key={kind} clientId={clientId} name={stepNames[kind]}>
            <Steps kind={kind} address={address} />
          </Tool>
        ))}
      </ul>
    </>
  )
}

const placeholder = 'your_login'
const lineNames: Readonly<Record<ConnectionLineKind, string>> = {
  psql: 'psql',
  odbc: 'ODBC',
  jdbc: 'JDBC',
  sqlAlchemy: 'Python (SQLAlchemy)',
}
const stepNames: Readonly<Record<ConnectionStepKind, string>> = {
  dbeaver: 'DBeaver',
  metabase: 'Metabase',
  tableau: 'Tableau',
}

function toAddress({ Host, Port, Database, User, SslMode }: ToolListProps['connection']): WarehouseAddress {
  return { host: Host, port: Port, database: Database, user: User ?? placeholder, sslMode: SslMode }
}

function ExcelTool({ clientId }: { clientId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Tool
      clientId={clientId}
      name="Excel workbook"
      reads="feed"
      hint="A sheet with a live query for each table that you choose. It holds no rows until you refresh it."
      action={
        <Button variant="default" onClick={() => setOpen(true)}>
          Choose tables
        </Button>
      }
    >
      {isOpen ? <WorkbookDialog clientId={clientId} onClose={() => setOpen(false)} /> : null}
    </Tool>
  )
}

function FeedTool({ clientId, address }: { clientId: string; address: string }) {
  const isEncrypted = address.startsWith('https:')
  return (
    <Tool
      clientId={clientId}
      name="OData feed"
      reads="feed"
      hint={`For Excel, Power BI and other programs. Sign in with Basic: your email address, and as password an access token with the scope data.read. ${isEncrypted ? 'The address is the portal’s, with TLS: a network that lets you open the portal lets programs read the feed.' : 'This address has no TLS: tokens and rows cross the network in the clear.'}`}
      action={
        <Button variant="default" component={Link} to={paths.accessTokens}>
          Access tokens
        </Button>
      }
    >
      <CodeLine text={address} what="address of the feed" />
    </Tool>
  )
}

function PowerBiTools({ clientId, address }: { clientId: string; address: WarehouseAddress }) {
  const project = useMutation({
    mutationFn: () => call('GET /tributary/clients/:clientId/reports/power-bi.zip', { params: { clientId } }),
    onSuccess: (file) => downloadFile('tributary-power-bi.zip', file),
  })
  return (
    <>
      <Tool
        clientId={clientId}
        name="Power BI project"
        hint="Tables, relationships, measures and report pages, ready to change. Unpack the file, then open its .pbip."
        action={
          <Button
            variant="default"
            leftSection={<IconDownload />}
            loading={project.isPending}
            onClick={() => project.mutate()}
          >
            Download project
          </Button>
        }
      >
        <MutationError of={project} />
      </Tool>
      <Tool
        clientId={clientId}
        name="Power BI file"
        hint="Opens Power BI Desktop on the warehouse, with nothing loaded yet."
        action={
          <Button
            variant="default"
            leftSection={<IconDownload />}
            onClick={() => downloadFile('tributary.pbids', JSON.stringify(powerBiDataSource(address)))}
          >
            Download file
          </Button>
        }
      />
    </>
  )
}

function CodeLine({ text, what }: { text: string; what: string }) {
  return (
    <div className={css.line}>
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </div>
  )
}

function Steps({ kind, address }: { kind: ConnectionStepKind; address: WarehouseAddress }) {
  return (
    <details>
      <summary className="small">{`Steps in ${stepNames[kind]}`}</summary>
      <ol className={css.steps}>
        {connectionSteps(kind, address).map(({ text, code }) => (
          <li key={text}>
            {text}
            {code === undefined ? null : <CodeLine text={code} what={`${stepNames[kind]} ${text.toLowerCase()}`} />}
          </li>
        ))}
      </ol>
    </details>
  )
}
