/** What publications need of a dialect. */

/** Quoted names of the tables of publications. */
export interface PublicationTables {
  /** One row for each set: the number of its current publication. */
  readonly current: string
  /** The runs of the publications. */
  readonly runs: string
  /** Runs that could be published, with the views over them. */
  readonly offers: string
  /** The names of published views. A table or view keeps its name. */
  readonly views: string
}

export function publicationTablesIn(qualified: (name: string) => string): PublicationTables {
  return {
    current: qualified('tributary_publication'),
    runs: qualified('tributary_publication_run'),
    offers: qualified('tributary_publication_offer'),
    views: qualified('tributary_published_view'),
  }
}

export interface PublicationSql<Session> {
  readonly publication: {
    /** Of the published views; empty where the database has no schemas. */
    readonly schema: string
    readonly tables: PublicationTables
    qualified(name: string): string
    /** The name that the published view of a table or view gets, unless it is taken. */
    viewName(name: string): string
    /** Follows the name of the table `current` in a view, so that a statement reads the same row every time. */
    readonly stableRead: string
  }
  hasPublicationTables(session: Session): Promise<boolean>
  /** Creates the schema and the tables where they are missing. */
  createPublicationTables(session: Session): Promise<void>
  /** Runs `work` in a transaction, one such at a time in the database. Some databases commit at each DDL statement. */
  whilePublishing<T>(session: Session, work: () => Promise<T>): Promise<T>
  /** Called within `whilePublishing`. */
  publishedRelationExists(session: Session, name: string): Promise<boolean>
  replacePublishedView(session: Session, name: string, select: string): Promise<void>
  /** Views that read each other are dropped together. */
  dropPublishedViews(session: Session, names: readonly string[]): Promise<void>
}
