/**
 * Sources that customers describe. Opening is the gate: without an approval of every host, no byte is sent, by whatever call the source is opened.
 * The connections of an open source lead to approved hosts only, whatever its description and the replies say.
 */
import { createHash } from 'node:crypto'
import { Fault } from '../../ports/faults.ts'
import type { ApprovedHosts } from '../../ports/approved-hosts.ts'
import type { Network } from '../../ports/network.ts'
import type { ConnectionContext, Source } from '../../ports/source.ts'
import { portOf } from '../http/exchange.ts'
import type { SourceDescription } from '../described/description/source-description.ts'
import type { DescribedSettings } from '../described/settings.ts'
import { describedSource } from '../described/source.ts'

export interface CustomerSettings {
  readonly description: SourceDescription
  /** The description as the customer wrote it, or as it was made from the form. */
  readonly text: string
  readonly values: DescribedSettings
}

type CatalogueFacts = Pick<Source, 'type' | 'title' | 'needs' | 'description' | 'guide' | 'sections'>

export function customerSource(
  facts: CatalogueFacts,
  parse: Source<CustomerSettings>['parse'],
): Source<CustomerSettings> {
  return {
    ...facts,
    parse,
    customer: { hosts: ({ description }) => hostsOf(description), text: ({ text }) => text },
    async open({ description, values }, context) {
      const approved = withApprovedHosts(facts.type, hostsOf(description), context)
      return describedSource(description).open(values, withOwnPace(values, approved))
    },
  }
}

/** Hosts that are named, and those of the addresses, which can have a port. */
export function hostsOf({ base, hosts, signIn }: SourceDescription): readonly string[] {
  const addresses = [base, ...(signIn.kind === 'oauthClient' ? [signIn.token] : [])].map((address) => new URL(address))
  const called = addresses.map((url) => hostAndPort(url.hostname, portOf(url)))
  const unused = hosts.filter((host) => !addresses.some(({ hostname }) => hostname === host))
  return [...new Set([...called, ...unused])].toSorted()
}

function hostAndPort(host: string, port: number): string {
  return port === 443 ? host : `${host}:${port}`
}

/** @throws Fault `settings` if a host is not approved */
function withApprovedHosts(type: string, hosts: readonly string[], context: ConnectionContext): ConnectionContext {
  const approval: ApprovedHosts = context.approvedHosts ?? { hosts: [], refusalOf: requestFirst }
  const refused = (others: readonly string[]): Fault =>
    new Fault('settings', { code: `${type}.not_approved`, notice: approval.refusalOf(others) })
  const missing = hosts.filter((host) => !approval.hosts.includes(host))
  if (missing.length > 0) throw refused(missing)
  const network: Network = {
    async dial(host, port, signal, protocol) {
      const called = hostAndPort(host, port)
      if (!approval.hosts.includes(called)) throw refused([called])
      return await context.network.dial(host, port, signal, protocol)
    },
  }
  return { ...context, network }
}

/**
 * The pace of a description applies to those who have its credentials. Otherwise a customer could slow the calls of another one who has
 * the same user name at the same address.
 */
function withOwnPace({ values }: DescribedSettings, context: ConnectionContext): ConnectionContext {
  const { rateLimiters } = context
  if (rateLimiters === undefined) return context
  const ownKey = (key: string): string =>
    createHash('sha256')
      .update(JSON.stringify([key, values]))
      .digest('hex')
  return { ...context, rateLimiters: { of: (key, rule) => rateLimiters.of(ownKey(key), rule) } }
}

function requestFirst(hosts: readonly string[]): string {
  return `Nothing is sent to ${hosts.join(' and ')} until the provider of Tributary has approved it. Save the connector to request the approval.`
}
