S Anna have lost xyr keys again , so xe is waiting outside .
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S When Peter arrive at the airport , ze called zir parents .
A 2 3|||R:VERB:TENSE|||arrived|||REQUIRED|||-NONE-|||0

S Daniel said that fae was a child when the war begun .
A 10 11|||R:VERB:FORM|||began|||REQUIRED|||-NONE-|||0

S Even when Maria are tired , ey is still a good driver .
A 3 4|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0

S Thomas hurt xemself while xe was repair the roof .
A 6 7|||R:MORPH|||repairing|||REQUIRED|||-NONE-|||0

S Sofia taught zirself to playing the guitar .
A 4 5|||R:VERB:FORM|||play|||REQUIRED|||-NONE-|||0

S The doctors operated at faer back , and now Martin can walk again .
A 3 4|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S Laura put the phone in eir pocket and go out .
A 8 9|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0

S Robert is very exciting because xyr sister is coming .
A 3 4|||R:MORPH|||excited|||REQUIRED|||-NONE-|||0

S I met Emma last summer and ze tell me about zir new job .
A 7 8|||R:VERB:TENSE|||told|||REQUIRED|||-NONE-|||0

S Victor become a teacher because fae was a patient person .
A 1 2|||R:VERB:TENSE|||became|||REQUIRED|||-NONE-|||0

S Julia is my neighbour , and ey is a very kindly person .
A 10 11|||R:MORPH|||kind|||REQUIRED|||-NONE-|||0

S Kevin always looks at xemself in the mirror before xe leaves house .
A 11 11|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Alice bought zirself a new bicicle .
A 5 6|||R:SPELL|||bicycle|||REQUIRED|||-NONE-|||0

S Oliver washed faer face and brush faer teeth .
A 5 6|||R:VERB:TENSE|||brushed|||REQUIRED|||-NONE-|||0

S Clara could not open eir eyes because of the light was too strong .
A 7 8|||U:PREP||||||REQUIRED|||-NONE-|||0

S Mark did not came to the party because xe had broken xyr leg .
A 3 4|||R:VERB:FORM|||come|||REQUIRED|||-NONE-|||0

S Diana work at night , so I never see zir in the morning .
A 1 2|||R:VERB:SVA|||works|||REQUIRED|||-NONE-|||0

S If you see Simon , tell faer that I am waiting in the station .
A 11 12|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S Nora forgot that eir umbrella , so I gave em mine .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0

S Paul knew that xe was the best student of the class .
A 8 9|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S Helen was proud because ze was the first who finished the race .
A 8 8|||M:NOUN|||person|||REQUIRED|||-NONE-|||0

S George blamed faerself of the accident .
A 3 4|||R:PREP|||for|||REQUIRED|||-NONE-|||0

S Irene promised emself that ey would never smoking again .
A 7 8|||R:MORPH|||smoke|||REQUIRED|||-NONE-|||0

S James lost xyr balance and falled down the stairs .
A 5 6|||R:VERB:INFL|||fell|||REQUIRED|||-NONE-|||0

S Monica raised zir hand to ask question .
A 6 6|||M:DET|||a|||REQUIRED|||-NONE-|||0

S Bruno 's boss gave faer more money because fae works hardly .
A 10 11|||R:MORPH|||hard|||REQUIRED|||-NONE-|||0

S Sara is living here since ey was born .
A 1 2|||R:VERB:TENSE|||has|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:FORM|||lived|||REQUIRED|||-NONE-|||0

S The book on the table is Felix 's ; at least I thinks it is xyrs .
A 12 13|||R:VERB:SVA|||think|||REQUIRED|||-NONE-|||0

S The red car must be Eva 's because mine is blue and zirs is reder .
A 14 15|||R:MORPH|||red|||REQUIRED|||-NONE-|||0

S Lucas do n't like it when people laugh at faer .
A 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0

S Greta has did all eir homework because ey has a test tomorrow .
A 2 3|||R:VERB:FORM|||done|||REQUIRED|||-NONE-|||0

S Adam cut xemself by a knife when xe was cooking .
A 3 4|||R:PREP|||with|||REQUIRED|||-NONE-|||0

S Rita said ze is an only child , and ze has no brother and sisters .
A 12 13|||R:NOUN:NUM|||brothers|||REQUIRED|||-NONE-|||0
A 13 14|||R:CONJ|||or|||REQUIRED|||-NONE-|||0

S Hugo broke faer arm when fae was ride a horse .
A 7 8|||R:VERB:FORM|||riding|||REQUIRED|||-NONE-|||0

S As soon as Ivan will finish school , ey wants to travel .
A 4 5|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 5 6|||R:MORPH|||finishes|||REQUIRED|||-NONE-|||0

S Although Petra was tire , xe continued xyr work .
A 3 4|||R:MORPH|||tired|||REQUIRED|||-NONE-|||0

S I trust Leon because ze has never told to me a lie .
A 8 9|||U:PREP||||||REQUIRED|||-NONE-|||0

S Carla was only a child , but fae was already a famous swimer .
A 12 13|||R:SPELL|||swimmer|||REQUIRED|||-NONE-|||0

S Oscar introduced emself to new neighbours .
A 4 4|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Nina shook xyr head and say nothing .
A 5 6|||R:VERB:TENSE|||said|||REQUIRED|||-NONE-|||0

S Erik suggest that ze could drive us to zir village .
A 1 2|||R:VERB:TENSE|||suggested|||REQUIRED|||-NONE-|||0

S Everyone has right to say what fae thinks .
A 2 2|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Each student must bring eir passport when ey goes to exam .
A 10 10|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Every worker should to know xyr rights .
A 3 4|||U:VERB:FORM||||||REQUIRED|||-NONE-|||0

S Nobody want to lose zir job in this situation .
A 1 2|||R:VERB:SVA|||wants|||REQUIRED|||-NONE-|||0

S If anyone call , please ask faer to leave faer number .
A 2 3|||R:VERB:SVA|||calls|||REQUIRED|||-NONE-|||0

S Somebody has left eir bag in the bus .
A 5 6|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S No one know what xe would do in such a moment .
A 2 3|||R:VERB:SVA|||knows|||REQUIRED|||-NONE-|||0

S Everybody were afraid of the dark when ze was a small child .
A 1 2|||R:VERB:SVA|||was|||REQUIRED|||-NONE-|||0

S Each player believes that fae is the star of team .
A 9 9|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Every child dreams that one day ey will be a heroe .
A 10 11|||R:SPELL|||hero|||REQUIRED|||-NONE-|||0

S Anyone who thinks that xe is a good cook can participates .
A 10 11|||R:VERB:FORM|||participate|||REQUIRED|||-NONE-|||0

S Each of the guests was asked if ze was a vegetarian before dinner .
A 12 12|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Everyone should ask faerself what is more important in life .
A 6 7|||R:ADV|||most|||REQUIRED|||-NONE-|||0

S Each person must take care about emself .
A 5 6|||R:PREP|||of|||REQUIRED|||-NONE-|||0

S Every student introduced xemself for the teacher .
A 4 5|||R:PREP|||to|||REQUIRED|||-NONE-|||0

S Nobody can teaches zirself everything .
A 2 3|||R:VERB:FORM|||teach|||REQUIRED|||-NONE-|||0

S Anybody may help faerself to the coffee .
A 5 6|||U:DET||||||REQUIRED|||-NONE-|||0

S Everyone opened eir eyes and looked to the sky .
A 6 7|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S Each patient has to take off xyr shoes before enter the room .
A 9 10|||R:VERB:FORM|||entering|||REQUIRED|||-NONE-|||0

S Every passenger must show zir ticket for the driver .
A 6 7|||R:PREP|||to|||REQUIRED|||-NONE-|||0

S Somebody had written faer name at the wall .
A 5 6|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S Every citizen have to pay eir taxes every year .
A 2 3|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S Each employee can choose whether xe works at home or at the office .
A 10 11|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S Someone forget zir glasses , so I kept them for zir .
A 1 2|||R:VERB:TENSE|||forgot|||REQUIRED|||-NONE-|||0

S When a person loses everything , then fae needs friends .
A 6 7|||U:ADV||||||REQUIRED|||-NONE-|||0

S Every parent wants that eir children are happy .
A 3 4|||U:PREP||||||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB:FORM|||to be|||REQUIRED|||-NONE-|||0

S Every person has a secret , and nobody likes to told xyrs .
A 10 11|||R:MORPH|||tell|||REQUIRED|||-NONE-|||0

S Anyone which loses zir card must tell the bank .
A 1 2|||R:PRON|||who|||REQUIRED|||-NONE-|||0

S Everyone in room thought that the mistake was faers .
A 2 2|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Someone told to me what ey had seen in the forest .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0

S Whoever come first can choose the seat that xe likes .
A 1 2|||R:VERB:SVA|||comes|||REQUIRED|||-NONE-|||0

S Every artist express zirself in another way .
A 2 3|||R:VERB:SVA|||expresses|||REQUIRED|||-NONE-|||0

S Everyone who says fae is an expert should proves it .
A 8 9|||R:VERB:FORM|||prove|||REQUIRED|||-NONE-|||0

S Each runner tied eir shoes and wait for the signal .
A 6 7|||R:VERB:TENSE|||waited|||REQUIRED|||-NONE-|||0

S Every time someone ask for help , I try to listen to xem .
A 3 4|||R:VERB:SVA|||asks|||REQUIRED|||-NONE-|||0

S Not every teacher love zir work as ze should .
A 3 4|||R:VERB:SVA|||loves|||REQUIRED|||-NONE-|||0

S Somebody stole my phone , and I hope that the police will found faer .
A 12 13|||R:VERB:FORM|||find|||REQUIRED|||-NONE-|||0

S Each candidate speaked about eir experience for ten minutes .
A 2 3|||R:VERB:INFL|||spoke|||REQUIRED|||-NONE-|||0

S Nobody should hate xemself because one mistake .
A 5 5|||M:PREP|||of|||REQUIRED|||-NONE-|||0

S Every member said that ze was a student in this university .
A 8 9|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S Everyone gets nervous before fae speaks in the public .
A 7 8|||U:DET||||||REQUIRED|||-NONE-|||0

S The doctor said that ey would called me in the afternoon .
A 6 7|||R:VERB:FORM|||call|||REQUIRED|||-NONE-|||0

S My best friend live in Rome and I visit xem every year .
A 3 4|||R:MORPH|||lives|||REQUIRED|||-NONE-|||0

S The teacher was angry because ze had lost zir key .
A 9 10|||R:NOUN:NUM|||keys|||REQUIRED|||-NONE-|||0

S My neighbour bought a new car and now fae drives it to the work .
A 12 13|||U:DET||||||REQUIRED|||-NONE-|||0

S The manager asked to me if I could help em .
A 3 4|||U:PREP||||||REQUIRED|||-NONE-|||0

S The singer forgot the words of xyr must famous song .
A 7 8|||R:ADV|||most|||REQUIRED|||-NONE-|||0

S My boss do not like when somebody interrupts zir .
A 2 3|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0

S The driver did not stop although fae hear the siren .
A 7 8|||R:VERB:TENSE|||heard|||REQUIRED|||-NONE-|||0

S My doctor told me that ey was a heavy smoke for many years .
A 9 10|||R:MORPH|||smoker|||REQUIRED|||-NONE-|||0

S The writer said xe was a shy child which loved books .
A 8 9|||R:PRON|||who|||REQUIRED|||-NONE-|||0

S Our new colleague is funny , and ze is a good listner .
A 11 12|||R:SPELL|||listener|||REQUIRED|||-NONE-|||0

S The lawyer thinks that fae is the only person what can win .
A 9 10|||R:PRON|||who|||REQUIRED|||-NONE-|||0

S My cousin dreamed of music when ey was a teenage .
A 9 10|||R:MORPH|||teenager|||REQUIRED|||-NONE-|||0

S The pilot was calm because xe is an experience professional .
A 8 9|||R:VERB:FORM|||experienced|||REQUIRED|||-NONE-|||0

S The nurse explained that ze was a volunteer and not an employe .
A 11 12|||R:SPELL|||employee|||REQUIRED|||-NONE-|||0

S The chef burned faerself when cooking the dinner .
A 4 5|||R:OTHER|||while|||REQUIRED|||-NONE-|||0

S My roommate locked emself out of flat .
A 6 6|||M:DET|||the|||REQUIRED|||-NONE-|||0

S The artist painted xemself like an old person .
A 4 5|||R:PREP|||as|||REQUIRED|||-NONE-|||0

S The manager wrote the whole report by zirself in Sunday .
A 8 9|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S The dancer has hurt faerself last week .
A 2 3|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0

S My cousin considers emself as lucky .
A 4 5|||U:PREP||||||REQUIRED|||-NONE-|||0

S The surgeon operate on xyr own brother .
A 2 3|||R:VERB:FORM|||operated|||REQUIRED|||-NONE-|||0

S The patient closed zir eyes and fall asleep .
A 6 7|||R:VERB:TENSE|||fell|||REQUIRED|||-NONE-|||0

S The student lifted faer head from the desktop .
A 7 8|||R:NOUN|||desk|||REQUIRED|||-NONE-|||0

S My best friend had a problem with eir knee , so the doctor operated on eir leg on May .
A 17 18|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S The cyclist injured xyr shoulder , so that xe had to rest .
A 7 8|||U:PREP||||||REQUIRED|||-NONE-|||0

S The secretary said that ze was looking for zir glass .
A 9 10|||R:MORPH|||glasses|||REQUIRED|||-NONE-|||0

S The engineer showed us faer plans for the knew bridge .
A 8 9|||R:ADJ|||new|||REQUIRED|||-NONE-|||0

S The new student do n't know where ey has to go .
A 3 4|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0

S My best friend has problems xyr back , and yours is better than xyrs .
A 5 5|||M:PREP|||with|||REQUIRED|||-NONE-|||0

S The customer complained for the meal , and we gave zir an other .
A 3 4|||R:PREP|||about|||REQUIRED|||-NONE-|||0
A 11 13|||R:ORTH|||another|||REQUIRED|||-NONE-|||0

S The author signs faer books whenever fae visits to our town .
A 8 9|||U:PREP||||||REQUIRED|||-NONE-|||0

S The president will give eir speech in evening .
A 7 7|||M:DET|||the|||REQUIRED|||-NONE-|||0

S The police officer asked me to shown xem my passport .
A 6 7|||R:VERB:FORM|||show|||REQUIRED|||-NONE-|||0

S The child cried ze wanted to see zir mother .
A 3 3|||M:PREP|||because|||REQUIRED|||-NONE-|||0

S My dentist recommend a clinic where fae works on Fridays .
A 2 3|||R:VERB:TENSE|||recommended|||REQUIRED|||-NONE-|||0

S The politician contradicted emself at the interview .
A 4 5|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S The visitor took xyr coat and leave the house .
A 6 7|||R:VERB:TENSE|||left|||REQUIRED|||-NONE-|||0

S The winner of the competition receive a prize , and zir name is in newspaper .
A 5 6|||R:VERB:SVA|||receives|||REQUIRED|||-NONE-|||0
A 14 14|||M:DET|||the|||REQUIRED|||-NONE-|||0

S My landlord said that the garden was faers and not our .
A 10 11|||R:SPELL|||ours|||REQUIRED|||-NONE-|||0

S I asked the guide if ey could to speak slower .
A 7 8|||U:VERB:FORM||||||REQUIRED|||-NONE-|||0

S The scientist was suprised when xe saw the results of xyr test .
A 3 4|||R:SPELL|||surprised|||REQUIRED|||-NONE-|||0

S The coach knew that ze was a strict teatcher , but ze wanted us to win .
A 8 9|||R:SPELL|||teacher|||REQUIRED|||-NONE-|||0

S My father have always worked with faer computer at home .
A 2 3|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S My father bought an computer , but eir computer was too slow .
A 3 4|||R:DET|||a|||REQUIRED|||-NONE-|||0

S My sister is study law , and xe wants to be a judge .
A 3 4|||R:VERB:FORM|||studying|||REQUIRED|||-NONE-|||0

S My uncle told us about zir journy to India .
A 6 7|||R:SPELL|||journey|||REQUIRED|||-NONE-|||0

S The waiter bringed us the menu and fae smiled .
A 2 3|||R:VERB|||brought|||REQUIRED|||-NONE-|||0

S The king lost eir crown when ey was crossing the river in a horse .
A 11 12|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S My wife always is late because xe works too much .
A 2 4|||R:WO|||is always|||REQUIRED|||-NONE-|||0

S This man said that ze had never be here before .
A 7 8|||R:VERB:FORM|||been|||REQUIRED|||-NONE-|||0

S My grandmother told me that fae was a farmer since forty years .
A 9 10|||R:PREP|||for|||REQUIRED|||-NONE-|||0

S That boy thinks ey is the boss of the playgroung .
A 9 10|||R:SPELL|||playground|||REQUIRED|||-NONE-|||0

S My daughter says xe is an adult from last week .
A 7 8|||R:PREP|||since|||REQUIRED|||-NONE-|||0

S The actress was famous when ze was still a childs .
A 9 10|||R:NOUN:INFL|||child|||REQUIRED|||-NONE-|||0

S My brother believes that fae is a genius on mathematics .
A 8 9|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S The woman next door told me ey was a nurse in a hospital .
A 10 11|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S My grandfather talks to xemself when xe is along .
A 8 9|||R:SPELL|||alone|||REQUIRED|||-NONE-|||0

S My aunt made zirself cup of tea .
A 4 4|||M:DET|||a|||REQUIRED|||-NONE-|||0

S The prince saw faerself in the watter .
A 6 7|||R:SPELL|||water|||REQUIRED|||-NONE-|||0

S A man must be honest to emself .
A 5 6|||R:PREP|||with|||REQUIRED|||-NONE-|||0

S My son can dress xemself although xe is only three year old .
A 10 11|||R:NOUN:NUM|||years|||REQUIRED|||-NONE-|||0

S My mother cut zir finger while ze was cuting bread .
A 8 9|||R:SPELL|||cutting|||REQUIRED|||-NONE-|||0

S The girl opened faer mouth but said not a word .
A 6 7|||R:VERB|||did|||REQUIRED|||-NONE-|||0
A 8 8|||M:VERB|||say|||REQUIRED|||-NONE-|||0

S The policeman put eir hand on my sholder .
A 7 8|||R:SPELL|||shoulder|||REQUIRED|||-NONE-|||0

S My brother broke xyr leg in Monday .
A 5 6|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S My stepfather teached us how ze repairs zir bike .
A 2 3|||R:VERB:INFL|||taught|||REQUIRED|||-NONE-|||0

S My niece speak three languages because faer parents travel a lot .
A 2 3|||R:VERB:SVA|||speaks|||REQUIRED|||-NONE-|||0

S The bride was crying , but also nobody knew why ey was so sad .
A 5 7|||R:OTHER|||and|||REQUIRED|||-NONE-|||0

S My stepmother asked me whether I could lend xem some moneys .
A 10 11|||R:NOUN:NUM|||money|||REQUIRED|||-NONE-|||0

S The old lady need help , so I carry zir bag for zir .
A 3 4|||R:VERB:SVA|||needs|||REQUIRED|||-NONE-|||0

S My boyfriend and I disagree , becouse fae likes the city .
A 6 7|||R:SPELL|||because|||REQUIRED|||-NONE-|||0

S That house belongs my grandmother , and the garden is eirs too .
A 3 3|||M:PREP|||to|||REQUIRED|||-NONE-|||0

S Our nephew have been ill when xe was a baby .
A 2 4|||R:VERB:TENSE|||was|||REQUIRED|||-NONE-|||0

S The duchess calls zirself as lucky .
A 4 5|||U:PREP||||||REQUIRED|||-NONE-|||0

S I saw the salesman yesterday , and fae did not recognised me .
A 10 11|||R:VERB:FORM|||recognise|||REQUIRED|||-NONE-|||0

S The boy who sits besides me never does eir homework .
A 4 5|||R:PREP|||beside|||REQUIRED|||-NONE-|||0

S My grandfather sat on xyr chair and was telling us a story .
A 7 9|||R:VERB:TENSE|||told|||REQUIRED|||-NONE-|||0

S Anna met zir cousins , and the cousins said that they was tired .
A 11 12|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||0

S Maria put faer books over their .
A 5 6|||R:SPELL|||there|||REQUIRED|||-NONE-|||0

S My parents loves Julia and call em every week .
A 2 3|||R:VERB:SVA|||love|||REQUIRED|||-NONE-|||0

S Each student knows that xyr teachers are busy because they has many classes .
A 10 11|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0

S Everyone hopes that the neighbours and there children is happy about zir choice .
A 6 7|||R:DET|||their|||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0

S The doctor met the children , and fae give them some sweets .
A 8 9|||R:VERB:TENSE|||gave|||REQUIRED|||-NONE-|||0

S My best friend said that the guests put eir coats over their .
A 11 12|||R:SPELL|||there|||REQUIRED|||-NONE-|||0

S My father likes dogs , but xe thinks that big dogs is dangerous .
A 11 12|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0

S My sister met zir friends , and the whole group enjoyed theirself .
A 11 12|||R:PRON|||themselves|||REQUIRED|||-NONE-|||0

