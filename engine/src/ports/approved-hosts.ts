/** Sources that customers describe call only hosts that a person has approved. */

export interface ApprovedHosts {
  /** As `CustomerDescription.hosts` writes them. */
  readonly hosts: readonly string[]
  /** For people: why nothing is sent to these hosts, which are not approved. */
  refusalOf(hosts: readonly string[]): string
}

/** What a person must know to approve the hosts of a source that a customer has described. */
export interface CustomerDescription<Settings = unknown> {
  /** Every host that is called, such as `api.example.com`, or `api.example.com:8443` if the port is not 443. Sorted. */
  hosts(settings: Settings): readonly string[]
  /** The description as text. It has no secrets. */
  text(settings: Settings): string
}
