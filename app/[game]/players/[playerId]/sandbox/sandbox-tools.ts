import type { RequestPageText } from '#app/[game]/_actions/request-page.tsx';

/** What one tool of the sandbox is called, and its form. */
interface SandboxTool {
  kind: 'purchase' | 'card_setup' | 'client_event' | 'rewards_page';
  title: string;
  sentence: string;
  text: RequestPageText;
}

/** The tools by the end of their address. */
export const SANDBOX_TOOLS: Readonly<Record<string, SandboxTool>> = {
  purchase: {
    kind: 'purchase',
    title: 'Buy coins',
    sentence: 'Try a test card: an approval, a decline, 3-D Secure, or an outcome that stays unknown.',
    text: {
      title: 'Buy coins',
      entry: 'purchase',
      press: 'Buy',
      reason: 'test',
      consequences: (_, name) => [
        `Invo charges the test card once, and credits the coins to ${name}.`,
        'If the outcome is unknown, Sharebook reads the order for a day. No other purchase of this player starts meanwhile.',
      ],
    },
  },
  card: {
    kind: 'card_setup',
    title: 'Save a card',
    sentence: 'Try saving a card without a purchase, with or without the bank’s check.',
    text: {
      title: 'Save a card',
      entry: 'card',
      press: 'Save the card',
      reason: 'test',
      consequences: () => [
        'Invo saves the test card, or asks for the bank’s check first.',
        'Without a token Invo only begins a set-up, which the game’s client completes.',
      ],
    },
  },
  event: {
    kind: 'client_event',
    title: 'Report a client event',
    sentence: 'Try an event as the player’s client reports it. It unlocks no reward of value.',
    text: {
      title: 'Report a client event',
      entry: 'event',
      press: 'Report',
      reason: 'test',
      consequences: (_, name) => [
        `Sharebook acts as ${name}, for this request alone.`,
        'Invo counts one event once, however often it is sent.',
      ],
    },
  },
  rewards: {
    kind: 'rewards_page',
    title: 'Open the rewards page',
    sentence: 'Get the player’s personal link to Invo’s page of rewards.',
    text: {
      title: 'Open the rewards page',
      entry: null,
      press: 'Get a link to the rewards page',
      reason: 'test',
      consequences: (_, name) => [
        `Sharebook acts as ${name}, for this request alone.`,
        'The link is shown once. What is redeemed on that page is not recorded in Sharebook.',
      ],
    },
  },
};
