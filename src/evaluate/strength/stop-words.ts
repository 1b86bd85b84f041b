/*
 * Words that say nothing about an answer: function words, polite phrases and refusals in English, German, French and Spanish. A check for a
 * stop word would distinguish right and wrong answers only by chance.
 */

const english = `
  about above according across actually after again against almost alone along already also although always among and
  another any anyone anything anyway are around available based because been before being below between both but
  came can cannot certainly could currently did different does doing done down during each either else enough even ever every
  everything exactly few find following for from further general generally get give given gives going good had has have having
  hello help helpful her here hers him his hope how however information instead into its itself just keep know known let like
  likely look looked looking made make makes many may maybe mean might more moreover most much must need needed needs neither never
  nevertheless next none nor not nothing now off often once one only other others otherwise our ours out over own
  perhaps please possible possibly probably provide provided provides question questions quite rather really regarding related
  same say seem seems several shall she should simply since some someone something sometimes soon sorry still such
  sure take tell than thank thanks that the their them then there therefore these they thing things think this those though
  through thus together too toward try under unfortunately unless until upon use used useful using usually very want was way
  well were what whatever when where whether which while who whole whom whose why will with within without would yes yet
  you your yours yourself answer apologize assist assistance able unable would however additionally furthermore regards
  understand request requested details specific specifically include includes including contact
`;

const german = `
  aber alle allem allen aller alles als also andere anderen anderer auch auf aus ausserdem außerdem bei beim bereits bin bis bist bitte
  damit dann das dass dein deine dem den denn dennoch der deren des deshalb dessen die dies diese diesem diesen dieser dieses doch dort
  durch eine einem einen einer eines etwas euch euer für gegen gerne haben hallo hatte hätte hier ihm ihn ihnen ihr ihre ihrem ihren ihrer
  immer jede jedem jeden jeder jedes jedoch jetzt kann kein keine keinen können könnte leider machen mehr mein meine mich mir mit möchte
  möglich muss müssen nach natürlich nein nicht nichts noch nun nur oder ohne schon sehr sein seine seit sich sie sind soll
  sollte sondern sowie über und uns unser unter viel viele vielen vom von vor wäre waren warum weil weiter weitere weiteren welche welcher
  wenn werden wie wieder wird wirklich wurde wurden würde zum zur zwar zwischen entschuldigung verfügung informationen helfen hilfe frage
`;

const french = `
  afin ailleurs ainsi alors après assez aucun aucune aussi autre autres aux avant avec avez avoir avons beaucoup bien bonjour car cela
  celle celles celui cependant ces cet cette ceux chaque comme comment dans depuis des désolé désolée deux doit donc elle elles encore
  ensuite entre est été être eux faire fait faut il ils informations jamais je juste lesquelles lesquels leur leurs lors lorsque lui
  mais malgré malheureusement merci mes moins mon notre nos nous ont par parce pas pendant peut peuvent plus plusieurs pour pourquoi pourrait
  pouvez pouvoir quand que quel quelle quelles quelque quelques quels question qui quoi sans selon ses seulement sera serait si son sont
  sous souvent suis sur toujours tous tout toute toutefois toutes très trop une vers veuillez voici voilà vos votre vous vraiment aide aider
`;

const spanish = `
  además ahora algo alguna algunas alguno algunos ante antes aquel aquella aquí así aún aunque ayuda ayudar bajo bien cada casi como cómo
  con contra cual cuál cuales cualquier cuando cuándo cuanto cuenta de debe desde después donde dónde durante ella ellas ellos embargo
  entonces entre era eres esa ese eso esta está estaba estamos están estar estas este esto estos gracias había hacer hacia hasta
  hola información lamentablemente lamento luego mas más mejor menos mientras mismo mucho muchos muy nada nuestra nuestro nunca otra otras otro
  otros para pero poco podemos poder podría porque por favor pregunta pueda puede pueden puedo pues que qué quien quién respuesta
  según ser será si sí siempre sin sino sobre solamente solo sólo son soy sus también tan tanto tenemos tener tiene tienen toda todas todavía
  todo todos tras una unas uno unos usted ustedes vosotros
`;

const words: ReadonlySet<string> = new Set(
  [english, german, french, spanish].flatMap((text) => text.trim().split(/\s+/)),
);

export function isStopWord(word: string): boolean {
  return words.has(word.toLowerCase());
}

/** Whether a word carries information: not a stop word, and more than three characters, or more than one with a digit. */
export function isTelling(word: string): boolean {
  if (isStopWord(word)) return false;
  return /\p{N}/u.test(word) ? word.length > 1 : /\p{L}/u.test(word) && word.length > 3;
}
