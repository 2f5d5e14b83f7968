S Anna have lost her keys again , so she is waiting outside .
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S When Peter arrive at the airport , he called his parents .
A 2 3|||R:VERB:TENSE|||arrived|||REQUIRED|||-NONE-|||0

S Daniel said that he was a child when the war begun .
A 10 11|||R:VERB:FORM|||began|||REQUIRED|||-NONE-|||0

S Even when Maria are tired , she is still a good driver .
A 3 4|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0

S Thomas hurt himself while he was repair the roof .
A 6 7|||R:MORPH|||repairing|||REQUIRED|||-NONE-|||0

S Sofia taught herself to playing the guitar .
A 4 5|||R:VERB:FORM|||play|||REQUIRED|||-NONE-|||0

S The doctors operated at his back , and now Martin can walk again .
A 3 4|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S Laura put the phone in her pocket and go out .
A 8 9|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0

S Robert is very exciting because his sister is coming .
A 3 4|||R:MORPH|||excited|||REQUIRED|||-NONE-|||0

S I met Emma last summer and she tell me about her new job .
A 7 8|||R:VERB:TENSE|||told|||REQUIRED|||-NONE-|||0

S Victor become a teacher because he was a patient person .
A 1 2|||R:VERB:TENSE|||became|||REQUIRED|||-NONE-|||0

S Julia is my neighbour , and she is a very kindly person .
A 10 11|||R:MORPH|||kind|||REQUIRED|||-NONE-|||0

S Kevin always looks at himself in the mirror before he leaves house .
A 11 11|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Alice bought herself a new bicicle .
A 5 6|||R:SPELL|||bicycle|||REQUIRED|||-NONE-|||0

S Oliver washed his face and brush his teeth .
A 5 6|||R:VERB:TENSE|||brushed|||REQUIRED|||-NONE-|||0

S Clara could not open her eyes because of the light was too strong .
A 7 8|||U:PREP||||||REQUIRED|||-NONE-|||0

S Mark did not came to the party because he had broken his leg .
A 3 4|||R:VERB:FORM|||come|||REQUIRED|||-NONE-|||0

S Diana work at night , so I never see her in the morning .
A 1 2|||R:VERB:SVA|||works|||REQUIRED|||-NONE-|||0

S If you see Simon , tell him that I am waiting in the station .
A 11 12|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S Nora forgot that her umbrella , so I gave her mine .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0

S Paul knew that he was the best student of the class .
A 8 9|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S Helen was proud because she was the first who finished the race .
A 8 8|||M:NOUN|||person|||REQUIRED|||-NONE-|||0

S George blamed himself of the accident .
A 3 4|||R:PREP|||for|||REQUIRED|||-NONE-|||0

S Irene promised herself that she would never smoking again .
A 7 8|||R:MORPH|||smoke|||REQUIRED|||-NONE-|||0

S James lost his balance and falled down the stairs .
A 5 6|||R:VERB:INFL|||fell|||REQUIRED|||-NONE-|||0

S Monica raised her hand to ask question .
A 6 6|||M:DET|||a|||REQUIRED|||-NONE-|||0

S Bruno 's boss gave him more money because he works hardly .
A 10 11|||R:MORPH|||hard|||REQUIRED|||-NONE-|||0

S Sara is living here since she was born .
A 1 2|||R:VERB:TENSE|||has|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:FORM|||lived|||REQUIRED|||-NONE-|||0

S The book on the table is Felix 's ; at least I thinks it is his .
A 12 13|||R:VERB:SVA|||think|||REQUIRED|||-NONE-|||0

S The red car must be Eva 's because mine is blue and hers is reder .
A 14 15|||R:MORPH|||red|||REQUIRED|||-NONE-|||0

S Lucas do n't like it when people laugh at him .
A 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0

S Greta has did all her homework because she has a test tomorrow .
A 2 3|||R:VERB:FORM|||done|||REQUIRED|||-NONE-|||0

S Adam cut himself by a knife when he was cooking .
A 3 4|||R:PREP|||with|||REQUIRED|||-NONE-|||0

S Rita said she is an only child , and she has no brother and sisters .
A 12 13|||R:NOUN:NUM|||brothers|||REQUIRED|||-NONE-|||0
A 13 14|||R:CONJ|||or|||REQUIRED|||-NONE-|||0

S Hugo broke his arm when he was ride a horse .
A 7 8|||R:VERB:FORM|||riding|||REQUIRED|||-NONE-|||0

S As soon as Ivan will finish school , he wants to travel .
A 4 5|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 5 6|||R:MORPH|||finishes|||REQUIRED|||-NONE-|||0

S Although Petra was tire , she continued her work .
A 3 4|||R:MORPH|||tired|||REQUIRED|||-NONE-|||0

S I trust Leon because he has never told to me a lie .
A 8 9|||U:PREP||||||REQUIRED|||-NONE-|||0

S Carla was only a child , but she was already a famous swimer .
A 12 13|||R:SPELL|||swimmer|||REQUIRED|||-NONE-|||0

S Oscar introduced himself to new neighbours .
A 4 4|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Nina shook her head and say nothing .
A 5 6|||R:VERB:TENSE|||said|||REQUIRED|||-NONE-|||0

S Erik suggest that he could drive us to his village .
A 1 2|||R:VERB:TENSE|||suggested|||REQUIRED|||-NONE-|||0

S Everyone has right to say what he thinks .
A 2 2|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Each student must bring her passport when she goes to exam .
A 10 10|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Every worker should to know his rights .
A 3 4|||U:VERB:FORM||||||REQUIRED|||-NONE-|||0

S Nobody want to lose her job in this situation .
A 1 2|||R:VERB:SVA|||wants|||REQUIRED|||-NONE-|||0

S If anyone call , please ask him to leave his number .
A 2 3|||R:VERB:SVA|||calls|||REQUIRED|||-NONE-|||0

S Somebody has left her bag in the bus .
A 5 6|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S No one know what he would do in such a moment .
A 2 3|||R:VERB:SVA|||knows|||REQUIRED|||-NONE-|||0

S Everybody were afraid of the dark when she was a small child .
A 1 2|||R:VERB:SVA|||was|||REQUIRED|||-NONE-|||0

S Each player believes that he is the star of team .
A 9 9|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Every child dreams that one day she will be a heroe .
A 10 11|||R:SPELL|||hero|||REQUIRED|||-NONE-|||0

S Anyone who thinks that he is a good cook can participates .
A 10 11|||R:VERB:FORM|||participate|||REQUIRED|||-NONE-|||0

S Each of the guests was asked if she was a vegetarian before dinner .
A 12 12|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Everyone should ask himself what is more important in life .
A 6 7|||R:ADV|||most|||REQUIRED|||-NONE-|||0

S Each person must take care about herself .
A 5 6|||R:PREP|||of|||REQUIRED|||-NONE-|||0

S Every student introduced himself for the teacher .
A 4 5|||R:PREP|||to|||REQUIRED|||-NONE-|||0

S Nobody can teaches herself everything .
A 2 3|||R:VERB:FORM|||teach|||REQUIRED|||-NONE-|||0

S Anybody may help himself to the coffee .
A 5 6|||U:DET||||||REQUIRED|||-NONE-|||0

S Everyone opened her eyes and looked to the sky .
A 6 7|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S Each patient has to take off his shoes before enter the room .
A 9 10|||R:VERB:FORM|||entering|||REQUIRED|||-NONE-|||0

S Every passenger must show her ticket for the driver .
A 6 7|||R:PREP|||to|||REQUIRED|||-NONE-|||0

S Somebody had written his name at the wall .
A 5 6|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S Every citizen have to pay her taxes every year .
A 2 3|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S Each employee can choose whether he works at home or at the office .
A 10 11|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S Someone forget her glasses , so I kept them for her .
A 1 2|||R:VERB:TENSE|||forgot|||REQUIRED|||-NONE-|||0

S When a person loses everything , then he needs friends .
A 6 7|||U:ADV||||||REQUIRED|||-NONE-|||0

S Every parent wants that her children are happy .
A 3 4|||U:PREP||||||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB:FORM|||to be|||REQUIRED|||-NONE-|||0

S Every person has a secret , and nobody likes to told his .
A 10 11|||R:MORPH|||tell|||REQUIRED|||-NONE-|||0

S Anyone which loses her card must tell the bank .
A 1 2|||R:PRON|||who|||REQUIRED|||-NONE-|||0

S Everyone in room thought that the mistake was his .
A 2 2|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Someone told to me what she had seen in the forest .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0

S Whoever come first can choose the seat that he likes .
A 1 2|||R:VERB:SVA|||comes|||REQUIRED|||-NONE-|||0

S Every artist express herself in another way .
A 2 3|||R:VERB:SVA|||expresses|||REQUIRED|||-NONE-|||0

S Everyone who says he is an expert should proves it .
A 8 9|||R:VERB:FORM|||prove|||REQUIRED|||-NONE-|||0

S Each runner tied her shoes and wait for the signal .
A 6 7|||R:VERB:TENSE|||waited|||REQUIRED|||-NONE-|||0

S Every time someone ask for help , I try to listen to him .
A 3 4|||R:VERB:SVA|||asks|||REQUIRED|||-NONE-|||0

S Not every teacher love her work as she should .
A 3 4|||R:VERB:SVA|||loves|||REQUIRED|||-NONE-|||0

S Somebody stole my phone , and I hope that the police will found him .
A 12 13|||R:VERB:FORM|||find|||REQUIRED|||-NONE-|||0

S Each candidate speaked about her experience for ten minutes .
A 2 3|||R:VERB:INFL|||spoke|||REQUIRED|||-NONE-|||0

S Nobody should hate himself because one mistake .
A 5 5|||M:PREP|||of|||REQUIRED|||-NONE-|||0

S Every member said that she was a student in this university .
A 8 9|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S Everyone gets nervous before he speaks in the public .
A 7 8|||U:DET||||||REQUIRED|||-NONE-|||0

S The doctor said that she would called me in the afternoon .
A 6 7|||R:VERB:FORM|||call|||REQUIRED|||-NONE-|||0

S My best friend live in Rome and I visit him every year .
A 3 4|||R:MORPH|||lives|||REQUIRED|||-NONE-|||0

S The teacher was angry because she had lost her key .
A 9 10|||R:NOUN:NUM|||keys|||REQUIRED|||-NONE-|||0

S My neighbour bought a new car and now he drives it to the work .
A 12 13|||U:DET||||||REQUIRED|||-NONE-|||0

S The manager asked to me if I could help her .
A 3 4|||U:PREP||||||REQUIRED|||-NONE-|||0

S The singer forgot the words of his must famous song .
A 7 8|||R:ADV|||most|||REQUIRED|||-NONE-|||0

S My boss do not like when somebody interrupts her .
A 2 3|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0

S The driver did not stop although she hear the siren .
A 7 8|||R:VERB:TENSE|||heard|||REQUIRED|||-NONE-|||0

S My doctor told me that she was a heavy smoke for many years .
A 9 10|||R:MORPH|||smoker|||REQUIRED|||-NONE-|||0

S The writer said he was a shy child which loved books .
A 8 9|||R:PRON|||who|||REQUIRED|||-NONE-|||0

S Our new colleague is funny , and she is a good listner .
A 11 12|||R:SPELL|||listener|||REQUIRED|||-NONE-|||0

S The lawyer thinks that she is the only person what can win .
A 9 10|||R:PRON|||who|||REQUIRED|||-NONE-|||0

S My cousin dreamed of music when she was a teenage .
A 9 10|||R:MORPH|||teenager|||REQUIRED|||-NONE-|||0

S The pilot was calm because she is an experience professional .
A 8 9|||R:VERB:FORM|||experienced|||REQUIRED|||-NONE-|||0

S The nurse explained that he was a volunteer and not an employe .
A 11 12|||R:SPELL|||employee|||REQUIRED|||-NONE-|||0

S The chef burned herself when cooking the dinner .
A 4 5|||R:OTHER|||while|||REQUIRED|||-NONE-|||0

S My roommate locked herself out of flat .
A 6 6|||M:DET|||the|||REQUIRED|||-NONE-|||0

S The artist painted himself like an old person .
A 4 5|||R:PREP|||as|||REQUIRED|||-NONE-|||0

S The manager wrote the whole report by herself in Sunday .
A 8 9|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S The dancer has hurt himself last week .
A 2 3|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0

S My cousin considers herself as lucky .
A 4 5|||U:PREP||||||REQUIRED|||-NONE-|||0

S The surgeon operate on her own brother .
A 2 3|||R:VERB:FORM|||operated|||REQUIRED|||-NONE-|||0

S The patient closed her eyes and fall asleep .
A 6 7|||R:VERB:TENSE|||fell|||REQUIRED|||-NONE-|||0

S The student lifted his head from the desktop .
A 7 8|||R:NOUN|||desk|||REQUIRED|||-NONE-|||0

S My best friend had a problem with her knee , so the doctor operated on her leg on May .
A 17 18|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S The cyclist injured his shoulder , so that he had to rest .
A 7 8|||U:PREP||||||REQUIRED|||-NONE-|||0

S The secretary said that he was looking for his glass .
A 9 10|||R:MORPH|||glasses|||REQUIRED|||-NONE-|||0

S The engineer showed us her plans for the knew bridge .
A 8 9|||R:ADJ|||new|||REQUIRED|||-NONE-|||0

S The new student do n't know where she has to go .
A 3 4|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0

S My best friend has problems his back , and yours is better than his .
A 5 5|||M:PREP|||with|||REQUIRED|||-NONE-|||0

S The customer complained for the meal , and we gave her an other .
A 3 4|||R:PREP|||about|||REQUIRED|||-NONE-|||0
A 11 13|||R:ORTH|||another|||REQUIRED|||-NONE-|||0

S The author signs his books whenever he visits to our town .
A 8 9|||U:PREP||||||REQUIRED|||-NONE-|||0

S The president will give her speech in evening .
A 7 7|||M:DET|||the|||REQUIRED|||-NONE-|||0

S The police officer asked me to shown her my passport .
A 6 7|||R:VERB:FORM|||show|||REQUIRED|||-NONE-|||0

S The child cried she wanted to see her mother .
A 3 3|||M:PREP|||because|||REQUIRED|||-NONE-|||0

S My dentist recommend a clinic where he works on Fridays .
A 2 3|||R:VERB:TENSE|||recommended|||REQUIRED|||-NONE-|||0

S The politician contradicted herself at the interview .
A 4 5|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S The visitor took his coat and leave the house .
A 6 7|||R:VERB:TENSE|||left|||REQUIRED|||-NONE-|||0

S The winner of the competition receive a prize , and her name is in newspaper .
A 5 6|||R:VERB:SVA|||receives|||REQUIRED|||-NONE-|||0
A 14 14|||M:DET|||the|||REQUIRED|||-NONE-|||0

S My landlord said that the garden was his and not our .
A 10 11|||R:SPELL|||ours|||REQUIRED|||-NONE-|||0

S I asked the guide if she could to speak slower .
A 7 8|||U:VERB:FORM||||||REQUIRED|||-NONE-|||0

S The scientist was suprised when she saw the results of her test .
A 3 4|||R:SPELL|||surprised|||REQUIRED|||-NONE-|||0

S The coach knew that she was a strict teatcher , but she wanted us to win .
A 8 9|||R:SPELL|||teacher|||REQUIRED|||-NONE-|||0

S My father have always worked with his computer at home .
A 2 3|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S My father bought an computer , but his computer was too slow .
A 3 4|||R:DET|||a|||REQUIRED|||-NONE-|||0

S My sister is study law , and she wants to be a judge .
A 3 4|||R:VERB:FORM|||studying|||REQUIRED|||-NONE-|||0

S My uncle told us about his journy to India .
A 6 7|||R:SPELL|||journey|||REQUIRED|||-NONE-|||0

S The waiter bringed us the menu and he smiled .
A 2 3|||R:VERB|||brought|||REQUIRED|||-NONE-|||0

S The king lost his crown when he was crossing the river in a horse .
A 11 12|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S My wife always is late because she works too much .
A 2 4|||R:WO|||is always|||REQUIRED|||-NONE-|||0

S This man said that he had never be here before .
A 7 8|||R:VERB:FORM|||been|||REQUIRED|||-NONE-|||0

S My grandmother told me that she was a farmer since forty years .
A 9 10|||R:PREP|||for|||REQUIRED|||-NONE-|||0

S That boy thinks he is the boss of the playgroung .
A 9 10|||R:SPELL|||playground|||REQUIRED|||-NONE-|||0

S My daughter says she is an adult from last week .
A 7 8|||R:PREP|||since|||REQUIRED|||-NONE-|||0

S The actress was famous when she was still a childs .
A 9 10|||R:NOUN:INFL|||child|||REQUIRED|||-NONE-|||0

S My brother believes that he is a genius on mathematics .
A 8 9|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S The woman next door told me she was a nurse in a hospital .
A 10 11|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S My grandfather talks to himself when he is along .
A 8 9|||R:SPELL|||alone|||REQUIRED|||-NONE-|||0

S My aunt made herself cup of tea .
A 4 4|||M:DET|||a|||REQUIRED|||-NONE-|||0

S The prince saw himself in the watter .
A 6 7|||R:SPELL|||water|||REQUIRED|||-NONE-|||0

S A man must be honest to himself .
A 5 6|||R:PREP|||with|||REQUIRED|||-NONE-|||0

S My son can dress himself although he is only three year old .
A 10 11|||R:NOUN:NUM|||years|||REQUIRED|||-NONE-|||0

S My mother cut her finger while she was cuting bread .
A 8 9|||R:SPELL|||cutting|||REQUIRED|||-NONE-|||0

S The girl opened her mouth but said not a word .
A 6 7|||R:VERB|||did|||REQUIRED|||-NONE-|||0
A 8 8|||M:VERB|||say|||REQUIRED|||-NONE-|||0

S The policeman put his hand on my sholder .
A 7 8|||R:SPELL|||shoulder|||REQUIRED|||-NONE-|||0

S My brother broke his leg in Monday .
A 5 6|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S My stepfather teached us how he repairs his bike .
A 2 3|||R:VERB:INFL|||taught|||REQUIRED|||-NONE-|||0

S My niece speak three languages because her parents travel a lot .
A 2 3|||R:VERB:SVA|||speaks|||REQUIRED|||-NONE-|||0

S The bride was crying , but also nobody knew why she was so sad .
A 5 7|||R:OTHER|||and|||REQUIRED|||-NONE-|||0

S My stepmother asked me whether I could lend her some moneys .
A 10 11|||R:NOUN:NUM|||money|||REQUIRED|||-NONE-|||0

S The old lady need help , so I carry her bag for her .
A 3 4|||R:VERB:SVA|||needs|||REQUIRED|||-NONE-|||0

S My boyfriend and I disagree , becouse he likes the city .
A 6 7|||R:SPELL|||because|||REQUIRED|||-NONE-|||0

S That house belongs my grandmother , and the garden is hers too .
A 3 3|||M:PREP|||to|||REQUIRED|||-NONE-|||0

S Our nephew have been ill when he was a baby .
A 2 4|||R:VERB:TENSE|||was|||REQUIRED|||-NONE-|||0

S The duchess calls herself as lucky .
A 4 5|||U:PREP||||||REQUIRED|||-NONE-|||0

S I saw the salesman yesterday , and he did not recognised me .
A 10 11|||R:VERB:FORM|||recognise|||REQUIRED|||-NONE-|||0

S The boy who sits besides me never does his homework .
A 4 5|||R:PREP|||beside|||REQUIRED|||-NONE-|||0

S My grandfather sat on his chair and was telling us a story .
A 7 9|||R:VERB:TENSE|||told|||REQUIRED|||-NONE-|||0

S Anna met her cousins , and the cousins said that they was tired .
A 11 12|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||0

S Maria put her books over their .
A 5 6|||R:SPELL|||there|||REQUIRED|||-NONE-|||0

S My parents loves Julia and call her every week .
A 2 3|||R:VERB:SVA|||love|||REQUIRED|||-NONE-|||0

S Each student knows that his teachers are busy because they has many classes .
A 10 11|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0

S Everyone hopes that the neighbours and there children is happy about her choice .
A 6 7|||R:DET|||their|||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0

S The doctor met the children , and he give them some sweets .
A 8 9|||R:VERB:TENSE|||gave|||REQUIRED|||-NONE-|||0

S My best friend said that the guests put her coats over their .
A 11 12|||R:SPELL|||there|||REQUIRED|||-NONE-|||0

S My father likes dogs , but he thinks that big dogs is dangerous .
A 11 12|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0

S My sister met her friends , and the whole group enjoyed theirself .
A 11 12|||R:PRON|||themselves|||REQUIRED|||-NONE-|||0

