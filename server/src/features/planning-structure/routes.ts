/** Routes for the planning structure. Each kind has the same four; milestones are listed by version. */
import type { RecordQuery } from '@tributary/contract/planning-records'
import { planningStructure } from '@tributary/contract/planning-structure'
import type { FastifyReply } from 'fastify'
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import { setTotalCountHeader } from '../../kernel/http/bind.ts'
import type { AppRoutes } from '../../app-services.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import type { Store } from '../../kernel/store/store.ts'
import {
  area,
  entity,
  helperTable,
  type RecordKindName,
  milestone,
  type RecordKind,
  type RecordsByKind,
  subarea,
  version,
} from './record-kinds.ts'
import { listRecords, type RecordValues } from './queries.ts'
import { addRecord, changeRecord, type RecordChange, removeRecord } from './change-records.ts'

export function structureRoutes(app: AppRoutes): void {
  const calls = createRecordHandlers(app)
  areaRoutes(app, calls)
  versionRoutes(app, calls)
  helperTableRoutes(app, calls)
  entityRoutes(app, calls)
}

/** The part of a bound call that changing a record needs. */
interface RecordCall {
  readonly store: Store
  readonly organisationId: string
  readonly auditContext: OrganisationContext
}
interface ListCall extends Pick<RecordCall, 'store' | 'organisationId'> {
  readonly query: RecordQuery
  readonly reply: FastifyReply
}

type RecordHandlers = ReturnType<typeof createRecordHandlers>

/** The handlers that all kinds share. Each runs in one transaction. */
function createRecordHandlers({ services }: AppRoutes) {
  return {
    async list<Name extends RecordKindName>(
      kind: RecordKind<Name>,
      { store, organisationId, query, reply }: ListCall,
    ): Promise<readonly RecordsByKind[Name][]> {
      const { records, total } = await store.within(organisationId, (db) =>
        listRecords(db, organisationId, kind, query),
      )
      setTotalCountHeader(reply, total)
      return records
    },
    add: <Name extends RecordKindName>(
      kind: RecordKind<Name>,
      { store, organisationId, auditContext }: RecordCall,
      values: RecordValues,
    ): Promise<RecordsByKind[Name]> =>
      store.within(organisationId, (db) => addRecord(db, services, auditContext, { kind, ...values })),
    change: <Name extends RecordKindName>(
      kind: RecordKind<Name>,
      { store, organisationId, auditContext }: RecordCall,
      change: RecordChange,
    ): Promise<RecordsByKind[Name]> =>
      store.within(organisationId, (db) => changeRecord(db, services, auditContext, { kind, ...change })),
    remove: (kind: RecordKind, { store, organisationId, auditContext }: RecordCall, id: string): Promise<void> =>
      store.within(organisationId, (db) => removeRecord(db, services, auditContext, { kind, id })),
  }
}

function areaRoutes(app: AppRoutes, { list, add, change, remove }: RecordHandlers): void {
  app.bind(planningStructure.areas, (call) => list(area, call))
  app.bind(planningStructure.addArea, (call) => add(area, call, { name: call.body.name }))
  app.bind(planningStructure.changeArea, (call) => change(area, call, { id: call.params.areaId, ...call.body }))
  app.bind(planningStructure.deleteArea, (call) => remove(area, call, call.params.areaId))

  app.bind(planningStructure.subareas, (call) => list(subarea, call))
  app.bind(planningStructure.addSubarea, (call) => add(subarea, call, { name: call.body.name }))
  app.bind(planningStructure.changeSubarea, (call) =>
    change(subarea, call, { id: call.params.subareaId, ...call.body }),
  )
  app.bind(planningStructure.deleteSubarea, (call) => remove(subarea, call, call.params.subareaId))
}

function versionRoutes(app: AppRoutes, { list, add, change, remove }: RecordHandlers): void {
  app.bind(planningStructure.versions, (call) => list(version, call))
  app.bind(planningStructure.addVersion, (call) => add(version, call, { name: call.body.name }))
  app.bind(planningStructure.changeVersion, (call) =>
    change(version, call, { id: call.params.versionId, ...call.body }),
  )
  app.bind(planningStructure.deleteVersion, (call) => remove(version, call, call.params.versionId))

  app.bindWithin(planningStructure.milestones, async (db, { organisationId, params }) => {
    const { records } = await listRecords(db, organisationId, milestone, params)
    return records
  })
  app.bind(planningStructure.addMilestone, (call) =>
    add(milestone, call, { name: call.body.name, versionId: call.body.versionId }),
  )
  app.bind(planningStructure.changeMilestone, (call) =>
    change(milestone, call, { id: call.params.milestoneId, ...call.body }),
  )
  app.bind(planningStructure.deleteMilestone, (call) => remove(milestone, call, call.params.milestoneId))
}

function helperTableRoutes(app: AppRoutes, { list, add, change, remove }: RecordHandlers): void {
  app.bind(planningStructure.helperTables, (call) => list(helperTable, call))
  app.bind(planningStructure.addHelperTable, async (call) => {
    const { budget2SqlProductId, comOrganisationId: _, ...written } = call.body
    requireProduct(call.organisationId, budget2SqlProductId)
    return add(helperTable, call, written)
  })
  app.bind(planningStructure.changeHelperTable, async (call) => {
    requireProduct(call.organisationId, call.body.budget2SqlProductId)
    return change(helperTable, call, { id: call.params.helperTableId, ...call.body })
  })
  app.bind(planningStructure.deleteHelperTable, (call) => remove(helperTable, call, call.params.helperTableId))
}

/** An organisation has one Excel product, whose id is the organisation's. */
function requireProduct(organisationId: string, productId: string | undefined): void {
  if (productId !== undefined && productId !== organisationId)
    throw badField('budget2SqlProductId', 'is not the Excel product of this organisation; leave it out')
}

function entityRoutes(app: AppRoutes, { list, add, change, remove }: RecordHandlers): void {
  app.bind(planningStructure.entities, (call) => list(entity, call))
  app.bind(planningStructure.addEntity, (call) => add(entity, call, { name: call.body.name }))
  app.bind(planningStructure.changeEntity, (call) => change(entity, call, { id: call.params.entityId, ...call.body }))
  app.bind(planningStructure.deleteEntity, (call) => remove(entity, call, call.params.entityId))
}
