/** Checks what a room covers and until when. */
import { auditorRoomLimits } from '@tributary/contract/limits'
import { badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { filterConnectors, filterMarks } from './queries.ts'

const dayMs = 86_400_000

interface RoomExtent {
  readonly endsAt: string
  readonly connectorIds: readonly string[]
  readonly markIds: readonly string[]
  readonly periodFrom: string | null
  readonly periodTo: string | null
}

/** Throws `badInput` with the field. Returns the columns of the room, each connector and mark once. */
export async function checkExtent(
  db: Db,
  organisationId: string,
  { endsAt, connectorIds, markIds, periodFrom, periodTo }: RoomExtent,
  now: number,
) {
  const { daysMax } = auditorRoomLimits
  const left = Date.parse(endsAt) - now
  if (left <= 0) throw badField('endsAt', 'is in the past; choose a later day')
  if (left > daysMax * dayMs)
    throw badField(
      'endsAt',
      `is more than ${daysMax} days away; choose an earlier day, and extend the room when it is needed`,
    )
  if (periodFrom !== null && periodTo !== null && periodFrom > periodTo)
    throw badField('periodTo', 'is before the first month')
  if (connectorIds.length + markIds.length === 0)
    throw badField('connectorIds', 'is empty; name a connector, or in markIds a mark')
  const known = await filterConnectors(db, organisationId, connectorIds)
  if (connectorIds.some((id) => !known.has(id)))
    throw badField('connectorIds', 'contains a connector that this organisation does not have')
  const marks = await filterMarks(db, organisationId, markIds)
  if (markIds.some((id) => !marks.has(id)))
    throw badField('markIds', 'contains a mark that this organisation does not have')
  return { endsAt, connectorIds: [...known], markIds: [...marks], periodFrom, periodTo }
}
