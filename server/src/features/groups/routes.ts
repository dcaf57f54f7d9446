/** The calls about security groups. */
import { groups } from '@tributary/contract/groups'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { tellTotal } from '../../kernel/http/bind.ts'
import type { App } from '../../app-services.ts'
import type { Grant } from '../../planning/entitlement/entitlement.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { asSent, type KindName, sentOf, sideOf, without } from './grants.ts'
import { addGroup, changeGroup, getGroup, type Hand, removeGroup, requireRecords, setGroupStatus } from './groups.ts'
import { previewGroup } from './preview-effects.ts'
import { listGroups, type ShownGroup } from './queries.ts'

export function groupRoutes(app: App): void {
  const within = transactions(app)
  wholeRoutes(app, within)
  grantRoutes(app, within)

  app.bind(groups.list, async ({ store, organisationId, query, reply }) => {
    const { groups: found, total } = await store.within(organisationId, (db) => listGroups(db, organisationId, query))
    if (total !== null) tellTotal(reply, total)
    return found
  })
  app.bind(groups.setStatus, (call) => {
    const { comOrganisationId: _, groupId: id, statusId } = call.body
    return within(call, (db, hand) => setGroupStatus(db, hand, { id, statusId }))
  })
  app.bind(groups.remove, (call) => within(call, (db, hand) => removeGroup(db, hand, call.body.groupId)))
}

/** What a call is made with. */
interface Made {
  readonly store: Store
  readonly organisationId: string
  readonly origin: AuditContext
}
type Within = ReturnType<typeof transactions>

function transactions({ services: { audit } }: App) {
  return <T>({ store, organisationId, origin }: Made, work: (db: Db, hand: Hand) => Promise<T>): Promise<T> =>
    store.within(organisationId, (db) => work(db, { audit, organisationId, origin }))
}

function wholeRoutes(app: App, within: Within): void {
  app.bind(groups.save, async (call) => {
    const { name, groupId: id, grants } = call.body
    const sent = grants && sentOf(grants)
    return within(call, (db, hand) =>
      id === undefined
        ? addGroup(db, hand, name, sent)
        : changeGroup(db, hand, { id, name, grants: sent && (() => sent) }),
    )
  })
  app.bind(groups.read, ({ store, organisationId, params }) =>
    store.within(organisationId, (db) => getGroup(db, organisationId, params.groupId)),
  )
  app.bind(groups.replace, async (call) => {
    const { name, grants, revision } = call.body
    const sent = sentOf(grants)
    return within(call, (db, hand) =>
      changeGroup(db, hand, { id: call.params.groupId, name, grants: () => sent, revision }),
    )
  })
  app.bind(groups.preview, async ({ store, organisationId, params, body }) => {
    const sent = sentOf(body.grants)
    return store.within(organisationId, (db) => previewGroup(db, organisationId, params.groupId, sent))
  })
}

function grantRoutes(app: App, within: Within): void {
  const change = (call: Made, { id, kind, grant, what }: GrantCall): Promise<ShownGroup> =>
    within(call, async (db, hand) => {
      if (grant !== null) await requireRecords(db, hand.organisationId, kind, grant)
      const changed = (stored: readonly Grant[]) =>
        grant === null ? [] : what === 'grant' ? [...stored, grant] : without(stored, [grant])
      return changeGroup(db, hand, { id, grants: (stored) => asSent({ ...stored, [kind]: changed(stored[kind]) }) })
    })

  app.bind(groups.grantPair, async (call) =>
    change(call, { id: call.body.groupId, kind: 'areas', grant: pairOf(call.body), what: 'grant' }),
  )
  app.bind(groups.revokePair, async (call) => {
    const { groupId: id, ...named } = call.body
    const grant = Object.keys(named).length === 0 ? null : pairOf(call.body)
    return change(call, { id, kind: 'areas', grant, what: 'revoke' })
  })
  app.bind(groups.grantMilestone, async (call) =>
    change(call, { id: call.body.groupId, kind: 'versions', grant: milestoneOf(call.body), what: 'grant' }),
  )
  app.bind(groups.revokeMilestone, async (call) => {
    const { groupId: id, ...named } = call.body
    const grant = Object.keys(named).length === 0 ? null : milestoneOf(call.body)
    return change(call, { id, kind: 'versions', grant, what: 'revoke' })
  })
}

interface GrantCall {
  readonly id: string
  readonly kind: KindName
  /** Null: all of that kind. */
  readonly grant: Grant | null
  readonly what: 'grant' | 'revoke'
}

interface PairBody {
  readonly areaId?: string | null | undefined
  readonly subAreaId?: string | null | undefined
  readonly areaAllCurrentAndFuture?: boolean | undefined
  readonly subAreaAllCurrentAndFuture?: boolean | undefined
}

function pairOf({ areaId, subAreaId, areaAllCurrentAndFuture, subAreaAllCurrentAndFuture }: PairBody): Grant {
  return {
    outerId: sideOf('areaId', areaId, areaAllCurrentAndFuture),
    innerId: sideOf('subAreaId', subAreaId, subAreaAllCurrentAndFuture),
  }
}

interface MilestoneBody {
  readonly versionId?: string | null | undefined
  readonly milestoneId?: string | null | undefined
  readonly flag?: boolean | undefined
  readonly allCurrentAndFuture?: boolean | undefined
}

/** Of every version that there is and will be, no single milestone can be meant. */
function milestoneOf({ versionId, milestoneId, flag = false, allCurrentAndFuture = false }: MilestoneBody): Grant {
  return {
    outerId: sideOf('versionId', versionId, flag),
    innerId: sideOf('milestoneId', milestoneId, flag || allCurrentAndFuture),
  }
}
