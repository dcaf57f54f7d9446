/** The methods of each path, so that the server can reply 405 instead of 404. */

interface PathNode {
  readonly literals: Map<string, PathNode>
  parameter?: PathNode
  readonly methods: Set<string>
}

export class KnownPaths {
  readonly #root = newNode()

  /** @param path a route pattern with parameters as `:name`. Patterns with a wildcard are ignored: their files are not known in advance. */
  add(methods: string | readonly string[], path: string): void {
    if (path.includes('*')) return
    let node = this.#root
    for (const segment of segmentsOf(path))
      node = segment.startsWith(':') ? (node.parameter ??= newNode()) : literalOf(node, segment)
    for (const method of [methods].flat()) node.methods.add(method)
  }

  /** The methods, `OPTIONS` included; undefined for an unknown path. */
  methodsOf(path: string): readonly string[] | undefined {
    const methods = find(this.#root, segmentsOf(path), 0)?.methods
    // For the root of a prefix with a trailing slash, Fastify reports only HEAD although it accepts GET.
    if (methods === undefined || (methods.size === 1 && methods.has('HEAD'))) return undefined
    return [...methods, 'OPTIONS'].toSorted()
  }
}

function newNode(): PathNode {
  return { literals: new Map(), methods: new Set() }
}

function literalOf({ literals }: PathNode, segment: string): PathNode {
  const node = literals.get(segment) ?? newNode()
  literals.set(segment, node)
  return node
}

/** A literal segment takes precedence over a parameter, as in the router. */
function find(node: PathNode, segments: readonly string[], at: number): PathNode | undefined {
  const segment = segments[at]
  if (segment === undefined) return node.methods.size > 0 ? node : undefined
  const literal = node.literals.get(segment)
  const found = literal === undefined ? undefined : find(literal, segments, at + 1)
  return found ?? (node.parameter === undefined || segment === '' ? undefined : find(node.parameter, segments, at + 1))
}

/** Segments are decoded separately, because an encoded slash belongs to its segment. */
function segmentsOf(path: string): readonly string[] {
  return path.slice(1).split('/').map(decoded)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
