/** Where the warehouse of an organisation is, its region, and its move to another server. */
import type { Placement, WarehouseMove } from '@tributary/contract/data-servers'
import { pollMs } from '@tributary/contract/limits'
import type { Organisation } from '@tributary/contract/organisations'
import { Button, Progress } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { dataServerList, placementQuery } from '../../domain/data-servers/queries.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { formatCount, formatMoment } from '../../ui/formats.ts'
import { SelectField, SwitchField } from '../../ui/forms/choice-fields.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import { DescriptionList } from '../../ui/layout/panel.tsx'

/** While a move is under way. The steps of a small warehouse take seconds. */
const moveProgressMs = 2_000

interface WarehouseDialogProps {
  organisation: Organisation
  onClose: () => void
}

export function WarehouseDialog({ organisation, onClose }: WarehouseDialogProps) {
  const placement = useQuery({
    ...placementQuery(organisation.Id),
    refetchInterval: ({ state }) => (isMoving(state.data?.Move ?? null) ? moveProgressMs : pollMs),
  })
  return (
    <Dialog kind="drawer" title="Warehouse" subtitle={organisation.CompanyName} onClose={onClose}>
      <QueryResult query={placement}>
        {(found) => (
          <>
            <DescriptionList items={factsOf(found)} />
            <RegionForm clientId={organisation.Id} placement={found} />
            {found.Move === null ? null : <MoveState clientId={organisation.Id} move={found.Move} />}
            {isMoving(found.Move) || found.Server === null ? null : (
              <MoveForm clientId={organisation.Id} placement={found} />
            )}
          </>
        )}
      </QueryResult>
    </Dialog>
  )
}

function isMoving(move: WarehouseMove | null): boolean {
  return move !== null && ['COPYING', 'HOLDING', 'VERIFYING', 'SWITCHED'].includes(move.State)
}

function factsOf({ Server, Database, Host, Port }: Placement) {
  if (Server === null) return [{ label: 'Server', value: 'None yet: the first run creates the warehouse.' }]
  return [
    { label: 'Server', value: Server.Region === null ? Server.Name : `${Server.Name}, ${Server.Region}` },
    { label: 'Host for reports', value: `${Host ?? ''}:${Port ?? ''}`, isCode: true },
    { label: 'Database', value: Database ?? '', isCode: true },
  ]
}

function usePlacementMutation<Input>(clientId: string, mutationFn: (input: Input) => Promise<Placement>, done: string) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      await invalidate(placementQuery(clientId), dataServerList)
      announceToScreenReader(done)
    },
  })
}

function RegionForm({ clientId, placement }: { clientId: string; placement: Placement }) {
  const form = useForm({ region: placement.RegionWish ?? '' }, { region: { isOptional: true } })
  const save = usePlacementMutation(
    clientId,
    (regionWish: string | null) =>
      call('PUT /tributary/clients/:clientId/data-server', { params: { clientId }, body: { regionWish } }),
    'The region is saved.',
  )
  const region = String(form.values['region']).trim()
  return (
    <DrawerSection title="Region">
      <MutationError of={save} />
      <TextField
        field={form.bind('region')}
        label="Must be in the region"
        help="Empty: any. A new warehouse is created there; one that exists stays until it is moved."
      />
      <Button
        variant="default"
        mt={8}
        w="fit-content"
        loading={save.isPending}
        onClick={() => save.mutate(region === '' ? null : region)}
      >
        Save region
      </Button>
    </DrawerSection>
  )
}

const states: Readonly<Record<WarehouseMove['State'], string>> = {
  COPYING: 'Tables are copied. Runs and reports continue.',
  HOLDING: 'Runs wait while the last changes are copied. Reports continue.',
  VERIFYING: 'Both copies are compared. Reports continue.',
  SWITCHED: 'The organisation is on the new server. The old copy is being closed.',
  KEPT: 'The move is done. The old copy is kept for a day.',
  DONE: 'The move is done, and the old copy is deleted.',
  FAILED: 'The warehouse stays where it is.',
  CANCELLED: 'The move was cancelled. The warehouse stays where it is.',
}

function MoveState({ clientId, move }: { clientId: string; move: WarehouseMove }) {
  const { State, FromServer, ToServer, Notice, DropAtUtc, IsCancelling } = move
  const params = { clientId }
  const cancel = usePlacementMutation(
    clientId,
    () => call('POST /tributary/clients/:clientId/data-server/move/cancel', { params }),
    'The move is being cancelled.',
  )
  const drop = usePlacementMutation(
    clientId,
    () => call('POST /tributary/clients/:clientId/data-server/move/drop-old-copy', { params }),
    'The old copy is being deleted.',
  )
  const canCancel = isMoving(move) && State !== 'SWITCHED' && !IsCancelling
  return (
    <DrawerSection title="Latest move">
      <Callout tone={State === 'FAILED' ? 'error' : 'info'} title={`From ${FromServer.Name} to ${ToServer.Name}`}>
        <output>{IsCancelling ? 'The move is being cancelled.' : states[State]}</output>
        {Notice === null ? null : <p>{Notice}</p>}
        <CopyProgress of={move} />
        {State === 'KEPT' && DropAtUtc !== null ? <p>It is deleted at {formatMoment(DropAtUtc, 'dateTime')}.</p> : null}
      </Callout>
      <MutationError of={cancel} />
      <MutationError of={drop} />
      {canCancel ? (
        <Button
          variant="default"
          mt={8}
          w="fit-content"
          loading={cancel.isPending}
          onClick={() => cancel.mutate(undefined)}
        >
          Cancel the move
        </Button>
      ) : null}
      {State === 'KEPT' ? (
        <Button
          variant="default"
          mt={8}
          w="fit-content"
          loading={drop.isPending}
          onClick={() => drop.mutate(undefined)}
        >
          Delete the old copy
        </Button>
      ) : null}
    </DrawerSection>
  )
}

function CopyProgress({ of: move }: { of: WarehouseMove }) {
  const { TablesDone, TablesTotal, RowsCopied } = move
  if (!isMoving(move) || TablesTotal === 0) return null
  return (
    <>
      <Progress value={(TablesDone / TablesTotal) * 100} aria-label="Tables copied" />
      <p className="small">
        {formatCount(TablesDone)} of {formatCount(TablesTotal)} tables, {formatCount(RowsCopied)} rows copied
      </p>
    </>
  )
}

interface MoveInput {
  readonly serverId: string
  readonly keepsReadable: boolean
}

function MoveForm({ clientId, placement }: { clientId: string; placement: Placement }) {
  const servers = useQuery(dataServerList)
  const others = (servers.data ?? []).filter(({ Id, AcceptsNew }) => Id !== placement.Server?.Id && AcceptsNew)
  const form = useForm({ serverId: '', keepsReadable: false }, {})
  const move = usePlacementMutation(
    clientId,
    (body: MoveInput) => call('POST /tributary/clients/:clientId/data-server/move', { params: { clientId }, body }),
    'The move has begun.',
  )
  function submit() {
    if (!form.validate()) return
    move.mutate({
      serverId: String(form.values['serverId']),
      keepsReadable: form.values['keepsReadable'] === true,
    })
  }
  if (others.length === 0) return <p className="small subtle">There is no other server that accepts warehouses.</p>
  const choices = others.map(({ Id, Name, Region }) => ({
    value: Id,
    label: Region === null ? Name : `${Name}, ${Region}`,
  }))
  return (
    <DrawerSection title="Move to another server">
      <MutationError of={move} />
      <SelectField
        field={form.bind('serverId')}
        label="Move to"
        choices={[{ value: '', label: 'Choose a server' }, ...choices]}
      />
      {placement.HasStableHost ? null : (
        <SwitchField
          field={form.bindSwitch('keepsReadable')}
          label="Let reports read the old copy for a day"
          help="Everyone with a login is mailed before and after. The old copy says since when its rows are stale."
        />
      )}
      <Button mt={8} w="fit-content" loading={move.isPending} onClick={submit}>
        Move
      </Button>
    </DrawerSection>
  )
}
