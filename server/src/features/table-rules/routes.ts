/** Filters and masks of a connector's tables. */
import { type ConnectorRules, rowOperators, tableRules } from '@tributary/contract/table-rules'
import type { Camel } from '@tributary/contract/wire'
import { type ColumnMask, describeConditions, operatorsOf, withTableName } from '@tributary/engine/ports/table-rules'
import type * as z from 'zod'
import type { AppRoutes } from '../../app-services.ts'
import type { StoredTable } from '../../access/dictionary/stored-structure.ts'
import { requireVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { listTableRules, saveTableRules } from '../../connections/table-rules/table-rules.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { checkRules } from './check-rules.ts'
import { listKnownTables } from './queries.ts'

export function tableRuleRoutes(app: AppRoutes): void {
  const { services } = app

  app.bind(tableRules.read, ({ organisationId, actor, params }) => {
    const connector = { organisationId, connectorId: params.connectorId }
    return services.store.within(organisationId, async (db) => {
      await requireVisibleConnector(db, actor, connector)
      return await describeRules(db, connector)
    })
  })

  app.bind(tableRules.save, ({ organisationId, actor, auditContext, params, body }) => {
    const connector = { organisationId, connectorId: params.connectorId }
    return services.store.within(organisationId, async (db) => {
      await requireVisibleConnector(db, actor, connector)
      if ((await lockConnector(db, connector)) === undefined) throw notFound()
      const known = (await listKnownTables(db, connector)).find(({ stream }) => stream === body.stream)
      const former = (await listTableRules(db, connector)).find(({ stream }) => stream === body.stream)
      const structure = known?.structure ?? []
      const masks = namedMasks(body.stream, structure, body.masks.map(toMask))
      const rules = { stream: body.stream, conditions: body.conditions, masks }
      checkRules(rules, structure, namedMasks(body.stream, structure, former?.masks ?? []))
      await saveTableRules(db, services.secrets, connector, { ...rules, userId: actor.userId })
      const masked = rules.masks.map(({ column }) => column)
      await services.audit.record(db, auditContext, {
        action: 'connector.table_rules_set',
        object: { type: 'connector', id: connector.connectorId },
        // Values of conditions may be those of a person.
        detail: {
          stream: rules.stream,
          conditions: rules.conditions.length,
          ...(masked.length > 0 && { masked: masked.join(', ') }),
        },
      })
      return await describeRules(db, connector)
    })
  })
}

function toMask({
  table,
  column,
  method,
  characters,
}: z.output<typeof tableRules.save.body>['masks'][number]): ColumnMask {
  return {
    table,
    column,
    method: method === 'keepEnd' ? { kind: method, characters: characters ?? defaultCharacters } : { kind: method },
  }
}

const defaultCharacters = 4

/** A mask that was saved before the first run has the name of the stream in place of the table's. */
function namedMasks(
  stream: string,
  [main]: readonly StoredTable[],
  masks: readonly ColumnMask[],
): readonly ColumnMask[] {
  return main === undefined ? masks : masks.map((mask) => withTableName(mask, stream, main.sourceName))
}

async function describeRules(db: Db, connector: ConnectorLocation): Promise<Camel<ConnectorRules>> {
  const known = await listKnownTables(db, connector)
  const rules = await listTableRules(db, connector)
  const unknown = rules
    .filter(({ stream }) => !known.some((each) => each.stream === stream))
    .map(({ stream }) => ({ stream, table: stream, structure: [] }))
  return {
    streams: [...known, ...unknown].map(({ stream, table, structure }) => {
      const { conditions = [], masks: stored = [], changedAt } = rules.find((each) => each.stream === stream) ?? {}
      const masks = namedMasks(stream, structure, stored)
      return {
        stream,
        table,
        sentence: conditions.length === 0 ? null : describeConditions(conditions),
        conditions: conditions.map(({ column, operator, values }) => ({ column, operator, values: [...values] })),
        masks: masks.map(({ table: of, column, method }) => ({
          table: of,
          column,
          method: method.kind,
          characters: method.kind === 'keepEnd' ? method.characters : null,
        })),
        tables: structure.map((one) => describeTable(one, masks)),
        changedAtUtc: changedAt ?? null,
      }
    }),
  }
}

function describeTable(
  { sourceName, columns, parentKey = [] }: StoredTable,
  masks: readonly ColumnMask[],
): Camel<ConnectorRules>['streams'][number]['tables'][number] {
  return {
    name: sourceName,
    columns: columns.map(({ sourceName: column, name, isKey, kind }) => {
      // The stored kind is that of the masked values.
      const isMasked = masks.some((mask) => mask.table === sourceName && mask.column === column)
      const own = isMasked || kind === undefined ? null : kind
      return {
        name: column,
        kind: own,
        operators: [...(own === null ? rowOperators : operatorsOf[own])],
        mayBeMasked: !isKey && !parentKey.includes(name),
      }
    }),
  }
}
