/** What `--url` sends where `--body` is not given. */
export const defaultBody = '{"query": {query}}';

/** The same for a turn of a conversation: an agent may keep the history under the session's id, or read what is sent along. */
export const defaultTurnBody = '{"query": {query}, "session_id": {session}, "history": {history}}';
