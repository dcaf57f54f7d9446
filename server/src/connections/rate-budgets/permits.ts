/**
 * The rate budget of one source key, shared by all processes: computes how many calls each may send next. Pure
 * functions; all times are milliseconds of the store's clock. A granted permit counts as a call until it is known to be
 * unused, so a process that dies with permits never makes the others exceed the limit.
 */
import type { RateLimitRule } from '@tributary/engine/ports/rate-limit'

export interface PermitLedger {
  /** Calls that count against the window. `at` is when they were sent or later. */
  readonly sent: readonly { readonly at: number; readonly calls: number }[]
  readonly holders: Readonly<Record<string, PermitHolder>>
  readonly pausedUntil: number
  /** Refusals in a row. */
  readonly refusals: number
}

interface PermitHolder {
  /** Granted permits, possibly used since. */
  readonly permits: number
  /** How many calls it may have in flight. */
  readonly slots: number
  /** Clients of this process that wait for calls. */
  readonly clients: number
  readonly requestedAt: number
}

export const emptyLedger: PermitLedger = { sent: [], holders: {}, pausedUntil: 0, refusals: 0 }

/** What a process reports about its calls since its last request, and what it needs. */
export interface PermitRequest {
  /** The process. */
  readonly holder: string
  /** Permits of the last grant that were used. */
  readonly sent: number
  readonly underWay: number
  readonly waiting: number
  readonly clients: number
  /** The source refused a call; `waitMs` if it said for how long. */
  readonly refusal?: { readonly waitMs?: number }
  /** The source answered a call that was sent after the last refusal. */
  readonly hasReply: boolean
  /** Calls that the source still allows in its own window, as it reported. */
  readonly remaining?: number
}

export interface PermitGrant {
  /** Usable for `permitMs` from the moment of the request. */
  readonly permits: number
  readonly slots: number
}

export const permitMs = 2_000
/** A process without a request for this long needs no permits. */
const contenderMs = 3_000
/** After this time the calls of a dead process have ended at the source. */
const slotExpiryMs = 30_000
/**
 * Requested ahead of need, so that a client with sequential calls does not wait for each. Unused ones return a second
 * later.
 */
const permitsAhead = 10

export function grantPermits(
  ledger: PermitLedger,
  rule: RateLimitRule,
  request: PermitRequest,
  now: number,
): { readonly ledger: PermitLedger; readonly grant: PermitGrant } {
  const counted = countReportedCalls(ledger, rule, request, now)
  const paused = applyRefusal(counted, rule, request, now)
  const others = Object.values(paused.holders)
  const free = paused.pausedUntil > now ? 0 : Math.max(0, rule.calls - countUsed(paused.sent, others))
  const grant = {
    permits: computePermits(free, request, others, now),
    slots: computeSlots(rule, request, others, now),
  }
  const { holder, clients, underWay } = request
  const slots = rule.atOnce === undefined ? 0 : Math.max(underWay, grant.slots)
  const own = { permits: grant.permits, slots, clients, requestedAt: now }
  const isIdle = own.permits === 0 && own.slots === 0 && clients === 0
  const holders = isIdle ? paused.holders : { ...paused.holders, [holder]: own }
  return { ledger: { ...paused, holders }, grant }
}

/**
 * Replaces permits with calls: those of the requesting process as reported; expired ones of others as if all had been
 * used last-minute.
 */
function countReportedCalls(
  ledger: PermitLedger,
  { calls, windowMs }: RateLimitRule,
  request: PermitRequest,
  now: number,
): PermitLedger {
  const holders = Object.entries(ledger.holders).filter(([name]) => name !== request.holder)
  const expired = holders.filter(([, { requestedAt }]) => now > requestedAt + permitMs)
  const sent = [
    ...ledger.sent,
    { at: now, calls: request.sent },
    ...expired.map(([, { permits, requestedAt }]) => ({ at: requestedAt + permitMs, calls: permits })),
  ].filter((entry) => entry.calls > 0 && entry.at > now - windowMs)
  const kept = holders
    .filter(([, { requestedAt }]) => now <= requestedAt + slotExpiryMs)
    .map(
      ([name, holder]) =>
        [name, expired.some(([other]) => other === name) ? { ...holder, permits: 0 } : holder] as const,
    )
  const unseen =
    request.remaining === undefined
      ? 0
      : calls -
        countUsed(
          sent,
          kept.map(([, holder]) => holder),
        ) -
        request.remaining
  return {
    ...ledger,
    sent: unseen > 0 ? [...sent, { at: now, calls: unseen }] : sent,
    holders: Object.fromEntries(kept),
  }
}

function countUsed(sent: PermitLedger['sent'], holders: readonly PermitHolder[]): number {
  const ofCalls = sent.reduce((sum, { calls }) => sum + calls, 0)
  return holders.reduce((sum, { permits }) => sum + permits, ofCalls)
}

/**
 * Concurrent calls are refused together, in several processes too. A refusal during a pause therefore counts as the
 * same one.
 */
function applyRefusal(
  ledger: PermitLedger,
  rule: RateLimitRule,
  { refusal, hasReply }: PermitRequest,
  now: number,
): PermitLedger {
  if (refusal === undefined) return hasReply && ledger.pausedUntil <= now ? { ...ledger, refusals: 0 } : ledger
  const isSame = ledger.pausedUntil > now
  const usual = rule.pausesMs[Math.min(ledger.refusals, rule.pausesMs.length - 1)] ?? rule.windowMs
  const until = now + (refusal.waitMs ?? (isSame ? 0 : usual))
  return { ...ledger, pausedUntil: Math.max(ledger.pausedUntil, until), refusals: ledger.refusals + (isSame ? 0 : 1) }
}

function computePermits(free: number, request: PermitRequest, others: readonly PermitHolder[], now: number): number {
  if (request.clients === 0 && request.underWay === 0) return 0
  const wanted = request.waiting + permitsAhead + 2 * request.sent
  return Math.min(wanted, computeShare(free, request, others, now), free)
}

function computeSlots(
  { atOnce }: RateLimitRule,
  request: PermitRequest,
  others: readonly PermitHolder[],
  now: number,
): number {
  if (atOnce === undefined) return slotsUnlimited
  if (request.clients === 0 && request.underWay === 0) return 0
  const free = Math.max(0, atOnce - others.reduce((sum, { slots }) => sum + slots, 0))
  return Math.min(free, computeShare(atOnce, request, others, now))
}

/** JSON cannot represent Infinity. */
const slotsUnlimited = 1_000_000

/** Divides by the number of clients that want calls. At least 1. */
function computeShare(
  whole: number,
  { clients, underWay }: PermitRequest,
  others: readonly PermitHolder[],
  now: number,
): number {
  const own = Math.max(clients, underWay > 0 ? 1 : 0)
  const contending = others.filter(({ requestedAt }) => now - requestedAt <= contenderMs)
  const all = contending.reduce((sum, other) => sum + other.clients, own)
  return Math.max(1, Math.floor((whole * own) / all))
}
