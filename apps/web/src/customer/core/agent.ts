/** What the hub says of an agent, and the beginnings that it offers. */

export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly capabilities?: {
    readonly identity?: {
      readonly description?: string;
      readonly metadata?: { readonly starters?: unknown };
    };
  };
}

/** More would be a menu. */
const MAX_STARTERS = 2;

/** The file of agents promises nothing about them: what is no text is left out. */
export const startersOf = (agent: Agent | undefined): readonly string[] => {
  const given = agent?.capabilities?.identity?.metadata?.starters;
  const texts = Array.isArray(given) ? given.filter((text) => typeof text === 'string' && text !== '') : [];
  return (texts as readonly string[]).slice(0, MAX_STARTERS);
};
